import { RegExpParser, type AST } from '@eslint-community/regexpp'
import { RE2JS } from 're2js'

/** A pattern whose test takes time in proportion to the length of the text. */
export interface LinearPattern {
  test(text: string): boolean
  /** The most steps per character. */
  size: number
  /** Returns the original pattern: Ajv tells patterns apart by this text. */
  toString(): string
}

const mostLength = 2_000
const mostSize = 2_000
const lastCodePoint = 0x10_ffff

type Ranges = readonly (readonly [number, number])[]

/** The characters that `\s` matches in JavaScript. In RE2 it matches fewer characters. */
const spaces: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff]
]

const lineEnds: Ranges = [[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]]

/**
 * Compiles a pattern of a JSON Schema (ECMA-262, with the flag `u`) for RE2, which never
 * backtracks. Throws for a pattern that RE2 cannot run in linear time, or that is too large. Throws
 * for a repetition of a repetition, too: RE2 runs it, but other programs that read the schema would
 * hang on it.
 */
export function compileLinearPattern (pattern: string): LinearPattern {
  if (pattern.length > mostLength) throw new RangeError(`it is longer than ${mostLength} characters`)
  const compiled = RE2JS.compile(translate(parse(pattern)))
  const size = compiled.programSize()
  if (size > mostSize) {
    throw new RangeError(`it makes ${size} steps of each character, ${mostSize} are allowed: use maxLength`)
  }
  return { test: text => compiled.test(text), size, toString: () => pattern }
}

function parse (pattern: string): AST.Pattern {
  return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true, unicodeSets: false })
}

function translate ({ alternatives }: Pick<AST.Pattern, 'alternatives'>): string {
  return alternatives.map(({ elements }) => elements.map(translateElement).join('')).join('|')
}

function translateElement (element: AST.Element): string {
  switch (element.type) {
    case 'Character':
      return character(element.value)
    case 'CharacterSet':
      return `[${membersOf(element)}]`
    case 'CharacterClass':
      return translateClass(element)
    case 'CapturingGroup':
      return `(?:${translate(element)})`
    case 'Group':
      if (element.modifiers !== null) throw refusal(element, 'flags inside of a pattern')
      return `(?:${translate(element)})`
    case 'Quantifier':
      return translateQuantifier(element)
    case 'Assertion':
      return translateAssertion(element)
    case 'Backreference':
      throw refusal(element, 'a reference to a group')
    case 'ExpressionCharacterClass':
      throw refusal(element, 'an operation on sets')
  }
}

function translateQuantifier (quantifier: AST.Quantifier): string {
  const { element, min, max } = quantifier
  if (max === Infinity && holdsOnlyRepetition(element)) {
    throw refusal(quantifier, 'a repetition of nothing but a repetition')
  }
  const atom = `(?:${translateElement(element)})`
  if (max === Infinity) return min > 1 ? `${atom}{${min},}` : `${atom}${min === 0 ? '*' : '+'}`
  return `${atom}{${min},${max}}`
}

/**
 * Whether the element is a group in which one alternative is a single endless repetition: `(a+)+`.
 */
function holdsOnlyRepetition (element: AST.Element): boolean {
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return false
  return element.alternatives.some(({ elements }) => {
    const [only, ...others] = elements
    if (only === undefined || others.length > 0) return false
    return only.type === 'Quantifier' ? only.max === Infinity : holdsOnlyRepetition(only)
  })
}

function translateAssertion (assertion: AST.Assertion): string {
  switch (assertion.kind) {
    case 'start':
      return '\\A'
    case 'end':
      return '\\z'
    case 'word':
      return assertion.negate ? '\\B' : '\\b'
    default:
      throw refusal(assertion, `a ${assertion.kind}`)
  }
}

function translateClass (characterClass: AST.CharacterClass): string {
  const members = characterClass.elements.map(element => {
    switch (element.type) {
      case 'Character':
        return character(element.value)
      case 'CharacterClassRange':
        return range(element.min.value, element.max.value)
      case 'CharacterSet':
        return membersOf(element)
      default:
        throw refusal(element, 'a set in a set')
    }
  }).join('')
  // RE2 has no empty set. `[]` matches no character, and `[^]` matches every character.
  if (members === '') return characterClass.negate ? `[${range(0, lastCodePoint)}]` : `[^${range(0, lastCodePoint)}]`
  return `[${characterClass.negate ? '^' : ''}${members}]`
}

/** Returns the members of a set without the brackets around them. */
function membersOf (set: AST.CharacterSet): string {
  switch (set.kind) {
    case 'any':
      return ranges(complement(lineEnds))
    case 'space':
      return ranges(set.negate ? complement(spaces) : spaces)
    case 'digit':
      return set.negate ? '\\D' : '\\d'
    case 'word':
      return set.negate ? '\\W' : '\\w'
    case 'property':
      if (set.key !== 'General_Category' && set.key !== 'Script') throw refusal(set, 'a property of characters')
      return `\\${set.negate ? 'P' : 'p'}{${set.value ?? ''}}`
  }
}

function complement (of: Ranges): Ranges {
  const starts = [0, ...of.map(([, last]) => last + 1)]
  return starts.map((first, index): [number, number] => [first, (of[index]?.[0] ?? lastCodePoint + 1) - 1])
}

function ranges (of: Ranges): string {
  return of.map(([first, last]) => range(first, last)).join('')
}

function range (first: number, last: number): string {
  return `${character(first)}-${character(last)}`
}

function character (codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`
}

function refusal (element: AST.Node, what: string): Error {
  return new Error(`'${element.raw}' is ${what}, which cannot be checked in linear time`)
}
