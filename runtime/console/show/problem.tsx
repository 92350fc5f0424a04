import { ProblemError } from '@linker/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { refreshAll } from '../hub/live.ts'
import { remedyOf } from '../hub/remedies.ts'
import type { Remedy } from '../rules/remedies.ts'
import { Copy } from './copy.tsx'
import { Icon } from './icon.tsx'

/** Why a request failed, with the cause and the remedy of its code. */
export function Problem ({ error }: { error: Error }): JSX.Element {
  const code = codeOf(error)
  return (
    <div class='note bad' role='alert'>
      <Icon name='error' />
      <div>
        <p>{error instanceof ProblemError ? error.detail : error.message}</p>
        {error instanceof ProblemError && error.errors !== undefined && error.errors.length > 0 && (
          <ul>
            {error.errors.map(({ pointer, message }) => (
              <li key={pointer}>
                <code>{pointer}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {code !== undefined && <RemedyOf code={code} />}
        <p class='actions'>
          {error instanceof ProblemError && error.requestId !== '' && (
            <Copy text={error.requestId} label='Copy request id' />
          )}
          <button type='button' class='small' onClick={refreshAll}>Try again</button>
        </p>
      </div>
    </div>
  )
}

/** The cause and the remedy of a code, as `docs/errors.md` has them. */
export function RemedyOf ({ code }: { code: string }): JSX.Element {
  const [found, setFound] = useState<Remedy>()

  useEffect(() => {
    let isShown = true
    void remedyOf(code).then(remedy => {
      if (isShown) setFound(remedy)
    }, () => undefined)
    return () => {
      isShown = false
    }
  }, [code])

  return (
    <p class='remedy'>
      <code>{code}</code>
      {found !== undefined && (
        <>
          : {found.cause}; <strong>{found.remedy}</strong>
        </>
      )}
    </p>
  )
}

function codeOf (error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
