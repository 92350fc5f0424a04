import type { ComponentChildren, JSX } from 'preact'
import type { Live } from '../hub/live.ts'
import { Problem } from './problem.tsx'
import { Ago } from './time.tsx'

/**
 * Shows the data of a request: a quiet place until they come, and after a failure the last good
 * data, greyed and with their age, below the problem.
 */
export function Loaded<Data> ({ live, children }: {
  live: Live<Data>,
  children: (data: Data) => ComponentChildren
}): JSX.Element {
  const { data, problem, atMs } = live
  if (data === undefined) {
    return problem === undefined ? <div class='loading' aria-busy='true'>Loading…</div> : <Problem error={problem} />
  }
  return (
    <>
      {problem !== undefined && (
        <>
          <Problem error={problem} />
          <p class='muted'>
            Below is what the hub said <Ago at={new Date(atMs ?? 0).toISOString()} />.
          </p>
        </>
      )}
      <div class={problem === undefined ? undefined : 'stale'}>{children(data)}</div>
    </>
  )
}

/** Says why there is nothing, and what would fill it. */
export function Empty ({ children, action }: { children: ComponentChildren, action?: ComponentChildren }): JSX.Element {
  return (
    <div class='empty'>
      <p>{children}</p>
      {action}
    </div>
  )
}
