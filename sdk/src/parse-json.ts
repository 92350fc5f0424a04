/** What `JSON.parse` tells a reviver about a value beside the value. */
interface Written {
  source?: string
}

type Reviver = (key: string, value: unknown, written?: Written) => unknown

// 2^53 has 16 digits. A text in quotes may fit as well, and costs only time.
const mayBeRounded = /(?:^|[:,[\s])-?[1-9]\d{15}/

/**
 * Parses JSON as the hub does: a whole number that JavaScript would round, beyond 2^53, becomes a
 * text of its digits. Use it for every answer of a platform that you parse yourself: two ids that
 * round to one number are one object to the hub. `http.json` and `http.get` do it by themselves. A
 * schema that asks for a number refuses the text, so declare such an id as a text.
 */
export function parseJson (text: string): unknown {
  return JSON.parse(text, digitKeeper(text))
}

/**
 * Makes the reviver that keeps the digits. Undefined: the text has no number that JavaScript would
 * round, and `JSON.parse` is several times as fast without a reviver.
 */
export function digitKeeper (text: string): Reviver | undefined {
  return mayBeRounded.test(text) ? keepDigits : undefined
}

/** Whether a value is a text that stands for a whole number which JavaScript would round. */
export function isKeptNumber (value: unknown): boolean {
  return typeof value === 'string' && wholeNumber.test(value) && !Number.isSafeInteger(Number(value))
}

const wholeNumber = /^-?\d+$/

function keepDigits (_key: string, value: unknown, { source = '' }: Written = {}): unknown {
  return typeof value === 'number' && isKeptNumber(source) ? source : value
}
