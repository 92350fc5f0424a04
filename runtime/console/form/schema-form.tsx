import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { FieldOf } from './field.tsx'
import { fieldsOf, sectionsOf, type Field, type Schema } from './fields-of.ts'
import { PlatformOfForm } from './offered.tsx'
import { PasteJson } from './paste-json.tsx'
import { pointerTo, problemsAt, problemsElsewhere, withMember, type FieldProblem, type Values } from './values-of.ts'

interface SchemaFormProps {
  /** The platform of the adapter that brought the schema. */
  platformType: string
  schema: Schema
  values: Values
  onChange: (values: Values) => void
  /** The problems that the hub found; each names its member by a pointer below `pointer`. */
  problems: readonly FieldProblem[]
  /** The place of the values in what is sent, such as `/config`. */
  pointer: string
  isStored?: boolean
  /** Members that the page fills in itself. */
  without?: readonly string[]
}

/** A few optional members need no fold. */
const fewOptional = 2

/** A form from a JSON Schema. The hub checks what is typed; the form only shows what it says. */
export function SchemaForm (props: SchemaFormProps): JSX.Element {
  return (
    <PlatformOfForm.Provider value={props.platformType}>
      <Form {...props} />
    </PlatformOfForm.Provider>
  )
}

function Form (props: SchemaFormProps): JSX.Element {
  const { schema, values, onChange, problems, pointer, without = [] } = props
  const all = useMemo(() => fieldsOf(schema), [schema])
  // Fields stay where they are while somebody types.
  const [first] = useState(() => new Set(Object.keys(values)))
  const [round, setRound] = useState(0)

  function paste (pasted: Values): void {
    onChange(pasted)
    // Fields that keep their own text, such as JSON, begin again.
    setRound(round + 1)
  }

  if (all === undefined) {
    return (
      <div class='schema-form'>
        <p class='muted'>These settings have no form of their own. Paste them as JSON.</p>
        <Faults problems={problemsAt(problems, pointer, true)} pointer={pointer} />
        <PasteJson onPaste={paste} isOpen />
      </div>
    )
  }
  const fields = all.filter(({ name }) => !without.includes(name))
  const shown = fields.filter(field => field.isRequired || first.has(field.name))
  const optional = fields.filter(field => !shown.includes(field))
  const isFolded = optional.length > fewOptional
  return (
    <div class='schema-form'>
      <Faults problems={problemsElsewhere(problems, pointer, all)} pointer={pointer} />
      <Sections {...props} key={`shown ${round}`} fields={isFolded ? shown : [...shown, ...optional]} />
      {isFolded && (
        <Folded {...props} isAlone={shown.length === 0} fields={optional}>
          <Sections {...props} key={`optional ${round}`} fields={optional} />
        </Folded>
      )}
      {fields.length > 0 && <PasteJson onPaste={paste} />}
    </div>
  )
}

function Sections ({ fields, values, onChange, problems, pointer, isStored = false }: SchemaFormProps & {
  fields: readonly Field[]
}): JSX.Element {
  return (
    <>
      {sectionsOf(fields).map(({ heading, fields: members }) => (
        <div key={heading ?? ''} class='fields'>
          {heading !== undefined && <h3>{heading}</h3>}
          {members.map(field => (
            <FieldOf
              key={field.name}
              field={field}
              value={values[field.name]}
              onChange={next => onChange(withMember(values, field.name, next))}
              problems={problems}
              pointer={pointerTo(pointer, field.name)}
              isStored={isStored}
            />
          ))}
        </div>
      ))}
    </>
  )
}

/** The optional members. They open by themselves when one of them has a fault. */
function Folded ({ fields, problems, pointer, isAlone, children }: SchemaFormProps & {
  fields: readonly Field[],
  isAlone: boolean,
  children: JSX.Element
}): JSX.Element {
  const hasFault = fields.some(({ name }) => problemsAt(problems, pointerTo(pointer, name), true).length > 0)
  const [isOpen, setOpen] = useState(isAlone)

  useEffect(() => {
    if (hasFault) setOpen(true)
  }, [hasFault])

  return (
    <details class='optional' open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Optional settings ({fields.length})</summary>
      {isOpen && children}
    </details>
  )
}

/** Problems that belong to no field. */
function Faults ({ problems, pointer }: { problems: readonly FieldProblem[], pointer: string }): JSX.Element {
  return (
    <>
      {problems.map(problem => (
        <p key={problem.pointer + problem.message} class='fault'>
          {problem.pointer !== pointer && <code>{problem.pointer}</code>} {problem.message}
        </p>
      ))}
    </>
  )
}
