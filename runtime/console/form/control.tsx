import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Choice, Field } from './fields-of.ts'
import { OfferedValues } from './offered.tsx'
import { numberOf } from './values-of.ts'

interface ControlProps {
  id: string
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  isFaulty: boolean
}

/** Whether a member has several inputs, which need a common legend instead of a label. */
export function isGroup (field: Field): boolean {
  return field.kind === 'texts' || (field.kind === 'choice' && field.look === 'radio')
}

/** The input of a member that is no object. */
export function Control (props: ControlProps): JSX.Element | null {
  const { id, field, value, onChange, isFaulty } = props
  const common = { id, 'aria-describedby': `${id}-about`, 'aria-invalid': isFaulty }
  switch (field.kind) {
    case 'text':
      return <Text {...common} look={field.look} field={field} value={value} onChange={onChange} />
    case 'number':
      return (
        <input
          {...common}
          inputMode={field.isWhole ? 'numeric' : 'decimal'}
          value={value === undefined ? '' : String(value)}
          placeholder={placeholderOf(field)}
          onInput={event => onChange(numberOf(event.currentTarget.value))}
        />
      )
    case 'boolean':
      return (
        <input
          {...common}
          type='checkbox'
          checked={(value ?? field.default) === true}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      )
    case 'choice':
      return field.look === 'radio'
        ? <Radios {...props} choices={field.choices} />
        : <List {...props} choices={field.choices} />
    case 'texts':
      return <Texts {...props} />
    case 'json':
      return <JsonText {...props} />
    default:
      return null
  }
}

function Text ({ look, field, value, onChange, ...common }: {
  id: string,
  look: 'text' | 'url' | 'password' | 'lines',
  field: Field,
  value: unknown,
  onChange: (value: unknown) => void
}): JSX.Element {
  const shared = {
    ...common,
    value: typeof value === 'string' ? value : '',
    placeholder: placeholderOf(field),
    spellcheck: false,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value || undefined)
  }
  if (look === 'lines') return <textarea {...shared} class={field.isSecret ? 'masked' : undefined} />
  const { optionsFrom } = field
  if (optionsFrom !== undefined && look !== 'password') {
    return (
      <>
        <input {...shared} type='text' autocomplete='off' list={`${common.id}-offered`} />
        <OfferedValues id={`${common.id}-offered`} path={optionsFrom} />
      </>
    )
  }
  // Browsers offer to keep passwords, and the key of a platform is not one of the person.
  if (look === 'password') return <input {...shared} type='password' autocomplete='new-password' />
  return <input {...shared} type='text' autocomplete='off' inputMode={look === 'url' ? 'url' : 'text'} />
}

function Radios ({ id, field, value, onChange, choices }: ControlProps & { choices: readonly Choice[] }): JSX.Element {
  return (
    <div class='choices'>
      {choices.map(choice => (
        <label key={choice.label} class='check'>
          <input
            type='radio'
            name={id}
            checked={(value ?? field.default) === choice.value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
      {value !== undefined && !field.isRequired && (
        <button
          type='button'
          class='small'
          onClick={() => onChange(undefined)}
        >
          {field.default === undefined ? 'None' : 'Default'}
        </button>
      )}
    </div>
  )
}

function List ({ id, field, value, onChange, isFaulty, choices }: ControlProps & {
  choices: readonly Choice[]
}): JSX.Element {
  const chosen = choices.findIndex(choice => choice.value === value)
  const usual = choices.find(choice => choice.value === field.default)
  return (
    <select
      id={id}
      aria-describedby={`${id}-about`}
      aria-invalid={isFaulty}
      value={String(chosen)}
      onChange={event => onChange(choices[Number(event.currentTarget.value)]?.value)}
    >
      <option value='-1'>{usual === undefined ? 'not set' : `default: ${usual.label}`}</option>
      {choices.map(({ label }, index) => <option key={label} value={String(index)}>{label}</option>)}
    </select>
  )
}

/** One input for each text, and an empty one at the end for the next. */
function Texts ({ field, value, onChange, isFaulty }: ControlProps): JSX.Element {
  const texts = Array.isArray(value) ? value.map(String) : []

  function change (index: number, text: string): void {
    const next = [...texts.slice(0, index), ...text === '' ? [] : [text], ...texts.slice(index + 1)]
    onChange(next.length === 0 ? undefined : next)
  }

  return (
    <div class='texts'>
      {[...texts, ''].map((text, index) => (
        <input
          key={index}
          aria-label={`${field.label} ${index + 1}`}
          aria-invalid={isFaulty}
          value={text}
          placeholder={index === 0 ? placeholderOf(field) : undefined}
          onInput={event => change(index, event.currentTarget.value)}
        />
      ))}
    </div>
  )
}

/** Keeps the typed text, because half-written JSON is no value. The hub refuses it as a text. */
function JsonText ({ id, value, onChange, isFaulty }: ControlProps): JSX.Element {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))

  function change (typed: string): void {
    setText(typed)
    if (typed.trim() === '') return onChange(undefined)
    try {
      onChange(JSON.parse(typed))
    } catch {
      onChange(typed)
    }
  }

  return (
    <textarea
      id={id}
      aria-describedby={`${id}-about`}
      aria-invalid={isFaulty}
      spellcheck={false}
      placeholder='JSON'
      value={text}
      onInput={event => change(event.currentTarget.value)}
    />
  )
}

function placeholderOf ({ default: usual, example, isSecret }: Field): string | undefined {
  if (isSecret) return undefined
  if (Array.isArray(usual)) return usual.join(', ')
  if (usual !== undefined) return typeof usual === 'string' ? usual : JSON.stringify(usual)
  return typeof example === 'string' ? example : undefined
}
