import type { ComponentChildren, JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { readFilter, withFilter, type Filter } from '../rules/filters.ts'

export interface FilterField<Name extends string> {
  name: Name
  label: string
  /** The choices as value and word. Without them, the field takes any text. */
  choices?: readonly (readonly [value: string, word: string])[]
  placeholder?: string
  /** The word for no choice. Default: all. */
  none?: string
}

/** The filter in the address of this page. */
export function useFilter<Name extends string> (fields: readonly FilterField<Name>[]): Filter<Name> {
  const { query } = useLocation()
  return readFilter(query, fields.map(({ name }) => name))
}

/** The fields of a filter. They change the address, so a filter can be sent to somebody. */
export function Filters<Name extends string> ({ fields, keeps = [], children }: {
  fields: readonly FilterField<Name>[],
  /** Members of the address that are no filter and stay when the filter is cleared. */
  keeps?: readonly string[],
  /** Buttons beside the fields. */
  children?: ComponentChildren
}): JSX.Element {
  const { path, query, route } = useLocation()

  function change (name: Name, value: string): void {
    route(withFilter(path, { ...query, [name]: value.trim() }), true)
  }

  return (
    <search class='filters'>
      {fields.map(({ name, label, choices, placeholder, none = 'all' }) => (
        <label key={name}>
          <span>{label}</span>
          {choices === undefined
            ? (
              <input
                value={query[name] ?? ''}
                placeholder={placeholder}
                onChange={event => change(name, event.currentTarget.value)}
              />
            )
            : (
              <select value={query[name] ?? ''} onChange={event => change(name, event.currentTarget.value)}>
                <option value=''>{none}</option>
                {choices.map(([value, word]) => <option key={value} value={value}>{word}</option>)}
              </select>
            )}
        </label>
      ))}
      {children}
      {Object.keys(readFilter(query, fields.map(({ name }) => name))).length > 0 && (
        <button
          type='button'
          class='small'
          onClick={() => route(withFilter(path, readFilter(query, keeps)), true)}
        >
          Clear
        </button>
      )}
    </search>
  )
}
