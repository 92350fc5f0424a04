import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { Prose } from '../show/prose.tsx'
import { Control, isGroup } from './control.tsx'
import type { Field } from './fields-of.ts'
import { NestedFields, Rows } from './nested.tsx'
import { problemsAt, type FieldProblem } from './values-of.ts'

export interface FieldProps {
  field: Field
  value: unknown
  /** Undefined removes the member. */
  onChange: (value: unknown) => void
  /** The problems of the whole form. */
  problems: readonly FieldProblem[]
  pointer: string
  /** The hub has the secrets of the form already, and an empty field keeps them. */
  isStored: boolean
}

/** One member of a form: its label, its input, what it means, and what is wrong with it. */
export function FieldOf (props: FieldProps): JSX.Element {
  const { field, problems, pointer } = props
  if (field.kind === 'object') return <NestedFields {...props} field={field} />
  if (field.kind === 'rows') return <Rows {...props} field={field} />
  return <Simple {...props} faults={problemsAt(problems, pointer, true)} />
}

function Simple (props: FieldProps & { faults: readonly FieldProblem[] }): JSX.Element {
  const { field, faults, isStored } = props
  const id = useId()
  const control = <Control {...props} id={id} isFaulty={faults.length > 0} />
  const about = <About id={id} field={field} faults={faults} isStored={isStored} />
  if (isGroup(field)) {
    return (
      <fieldset class='field' aria-describedby={`${id}-about`}>
        <legend>
          {field.label} <Marks field={field} />
        </legend>
        {control}
        {about}
      </fieldset>
    )
  }
  if (field.kind === 'boolean') {
    return (
      <div class='field'>
        <div class='check'>
          {control}
          <label for={id}>{field.label}</label>
          {field.isDeprecated && <Marks field={field} />}
        </div>
        {about}
      </div>
    )
  }
  return (
    <div class='field'>
      <div class='field-head'>
        <label for={id}>{field.label}</label>
        <Marks field={field} />
      </div>
      {field.unit === undefined ? control : (
        <div class='with-unit'>
          {control}
          <span>{field.unit}</span>
        </div>
      )}
      {about}
    </div>
  )
}

/** Says beside the label what is special about a member. */
export function Marks ({ field }: { field: Field }): JSX.Element {
  return (
    <span class='muted mark'>
      {[!field.isRequired && 'optional', field.isDeprecated && 'deprecated'].filter(Boolean).join(', ')}
    </span>
  )
}

/** Shows the meaning of a member, and the faults of its value. */
export function About ({ id, field, faults, isStored }: {
  id: string,
  field: Field,
  faults: readonly FieldProblem[],
  isStored: boolean
}): JSX.Element {
  const hints: ComponentChildren[] = [
    field.description !== undefined && <Prose key='meaning' text={sentence(field.description)} />,
    field.default !== undefined && field.kind !== 'boolean' && `Default: ${textOf(field.default)}.`,
    field.example !== undefined && !field.isSecret && `Example: ${textOf(field.example)}.`,
    field.isSecret && isStored && 'Stored and never shown. Leave it empty to keep it.'
  ].filter(hint => hint !== undefined && hint !== false)
  return (
    <div id={`${id}-about`} class='about'>
      {hints.length > 0 && <p class='muted'>{hints.map((hint, at) => <>{at > 0 && ' '}{hint}</>)}</p>}
      {faults.map(({ pointer, message }) => <p key={pointer + message} class='fault'>{field.label} {message}</p>)}
    </div>
  )
}

function sentence (text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function textOf (value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
