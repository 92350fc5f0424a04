import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { About, FieldOf, Marks, type FieldProps } from './field.tsx'
import type { Field } from './fields-of.ts'
import { pointerTo, problemsAt, problemsElsewhere, startOf, withMember, type Values } from './values-of.ts'

type Of<Kind extends Field['kind']> = FieldProps & { field: Field & { kind: Kind } }

/** An object in the form. A switch adds it when it is optional. */
export function NestedFields ({ field, value, onChange, problems, pointer, isStored }: Of<'object'>): JSX.Element {
  const id = useId()
  const isThere = value !== undefined || field.isRequired
  const values = toValues(value)
  return (
    <fieldset class='field nested' aria-describedby={`${id}-about`}>
      <legend>
        {field.label} <Marks field={field} />
      </legend>
      {!field.isRequired && (
        <label class='check'>
          <input
            type='checkbox'
            checked={isThere}
            onChange={event => onChange(event.currentTarget.checked ? startOf(field.fields) : undefined)}
          />
          Set {field.label.toLowerCase()}
        </label>
      )}
      <About id={id} field={field} faults={problemsElsewhere(problems, pointer, field.fields)} isStored={isStored} />
      {isThere && field.fields.map(member => (
        <FieldOf
          key={member.name}
          field={member}
          value={values[member.name]}
          onChange={next => onChange(withMember(values, member.name, next))}
          problems={problems}
          pointer={pointerTo(pointer, member.name)}
          isStored={isStored}
        />
      ))}
    </fieldset>
  )
}

/** A list of flat objects, one line for each. */
export function Rows ({ field, value, onChange, problems, pointer, isStored }: Of<'rows'>): JSX.Element {
  const id = useId()
  const rows = Array.isArray(value) ? value as readonly unknown[] : []

  function change (index: number, row: Values | undefined): void {
    const next = [...rows.slice(0, index), ...row === undefined ? [] : [row], ...rows.slice(index + 1)]
    onChange(next.length === 0 ? undefined : next)
  }

  return (
    <fieldset class='field nested' aria-describedby={`${id}-about`}>
      <legend>
        {field.label} <Marks field={field} />
      </legend>
      <About id={id} field={field} faults={problemsAt(problems, pointer)} isStored={isStored} />
      {rows.map((row, index) => {
        const values = toValues(row)
        const place = pointerTo(pointer, index)
        return (
          <fieldset key={index} class='row-of-fields' aria-label={`${field.label} ${index + 1}`}>
            {field.fields.map(member => (
              <FieldOf
                key={member.name}
                field={member}
                value={values[member.name]}
                onChange={next => change(index, withMember(values, member.name, next))}
                problems={problems}
                pointer={pointerTo(place, member.name)}
                isStored={isStored}
              />
            ))}
            {problemsElsewhere(problems, place, field.fields).map(({ message }) => (
              <p key={message} class='fault'>{message}</p>
            ))}
            <button type='button' class='small' onClick={() => change(index, undefined)}>Remove</button>
          </fieldset>
        )
      })}
      <button type='button' class='small' onClick={() => change(rows.length, {})}>
        Add to {field.label.toLowerCase()}
      </button>
    </fieldset>
  )
}

function toValues (value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Values : {}
}
