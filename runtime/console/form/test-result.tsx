import type { JSX } from 'preact'
import { duration } from '../rules/times.ts'
import { Icon } from '../show/icon.tsx'
import type { ConnectionTest } from './check.ts'

/** The result of a connection test: every check with its time, and what helps when it failed. */
export function TestResult ({ test }: { test: ConnectionTest }): JSX.Element {
  const { success, message, latencyMs, checks, status } = test
  return (
    <div class={`note ${success ? 'good' : 'bad'}`} role={success ? 'status' : 'alert'}>
      <Icon name={success ? 'ok' : 'error'} />
      <div>
        <p>
          <strong>{success ? 'The test succeeded' : 'The test failed'}</strong> after {duration(latencyMs)}: {message}
          {!success && status !== undefined && ` The platform answered ${status}.`}
        </p>
        {checks.length > 0 && (
          <ul class='checks'>
            {checks.map(({ name, ok, ms, hint }) => (
              <li key={name}>
                <span class={ok ? 'passed' : 'failed'}>
                  <Icon name={ok ? 'ok' : 'error'} />
                  <span class='hidden'>{ok ? 'passed: ' : 'failed: '}</span>
                </span>
                <span>
                  {name}
                  {hint !== undefined && <span class='muted'>{hint}</span>}
                </span>
                <span class='muted'>{duration(ms)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
