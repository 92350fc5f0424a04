import { ProblemError } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useCheck } from '../../form/check.ts'
import type { Schema } from '../../form/fields-of.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { problemsAt, problemsSoFar, type Values } from '../../form/values-of.ts'
import { hub } from '../../hub/hub.ts'
import { refreshAll } from '../../hub/live.ts'
import { may } from '../../hub/session.ts'
import { Section } from '../../show/page.tsx'
import { Problem } from '../../show/problem.tsx'
import { SameBy } from '../../show/same-by.tsx'
import { tell } from '../../show/toast.tsx'
import type { Read } from './read.ts'

type CredentialsProps = Pick<Read, 'connection' | 'etag'> & { schema: Schema }

/** Replaces the stored credentials. They are never shown. */
export function Credentials (props: CredentialsProps): JSX.Element | null {
  const { connection: { credentialsRef }, schema } = props
  const [isOpen, setOpen] = useState(false)
  if (schema.type === 'null') return null
  return (
    <Section
      title='Credentials'
      actions={may('admin') && !isOpen && <button type='button' onClick={() => setOpen(true)}>Replace…</button>}
    >
      <p class='muted'>
        {credentialsRef === null ? 'None are stored.' : 'They are stored, and nobody can read them here.'}
      </p>
      {isOpen && <Replace {...props} onEnd={() => setOpen(false)} />}
    </Section>
  )
}

function Replace ({ connection, schema, onEnd }: CredentialsProps & { onEnd: () => void }): JSX.Element {
  const { id, name, adapterKey, adapterVersion, config } = connection
  const [values, setValues] = useState<Values>({})
  const [test, setTest] = useState(true)
  const [isDone, setDone] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<Error>()
  const checked = useCheck({ adapterKey, version: adapterVersion ?? 'latest', config, credentials: values })
  const errors = problemsAt(checked.errors, '/credentials', true)

  async function replace (event: Event): Promise<void> {
    event.preventDefault()
    setDone(true)
    if (errors.length > 0 || isRunning) return
    setRunning(true)
    setProblem(undefined)
    try {
      await hub.put('/connections/{id}/credentials', {
        path: { id },
        query: { test },
        body: { credentials: { ...values } }
      })
      tell({ text: `“${name}” has new credentials${test ? ', and the platform accepts them' : ''}.` })
      refreshAll()
      onEnd()
    } catch (error) {
      setProblem(error instanceof ProblemError || error instanceof Error ? error : new Error(String(error)))
      setRunning(false)
    }
  }

  return (
    <form class='step-end' noValidate onSubmit={event => void replace(event)}>
      <p>The new ones replace all that is stored, so give every member that the connection needs.</p>
      <SchemaForm
        platformType={connection.platformType}
        schema={schema}
        values={values}
        onChange={setValues}
        problems={problemsSoFar(errors, isDone)}
        pointer='/credentials'
      />
      <label class='check'>
        <input type='checkbox' checked={test} onChange={event => setTest(event.currentTarget.checked)} />
        Test them at the platform first; the old ones stay when it refuses them
      </label>
      {problem !== undefined && <Problem error={problem} />}
      <div class='actions'>
        <button class='primary' disabled={isRunning}>{isRunning ? 'Asking the platform…' : 'Replace'}</button>
        <button type='button' onClick={onEnd}>Cancel</button>
      </div>
      <SameBy cli={`linker connections credentials ${id} credentials.json${test ? '' : ' --no-test'}`} />
    </form>
  )
}
