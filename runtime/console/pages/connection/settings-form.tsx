import { ProblemError, type Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useCheck } from '../../form/check.ts'
import { fieldsOf, type Schema } from '../../form/fields-of.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { patchOf, withoutStoredSecrets, type Values } from '../../form/values-of.ts'
import { hub } from '../../hub/hub.ts'
import { refreshAll } from '../../hub/live.ts'
import { may } from '../../hub/session.ts'
import { configDiff } from '../../rules/config-diff.ts'
import { Diff } from '../../show/diff.tsx'
import { Section } from '../../show/page.tsx'
import { Problem } from '../../show/problem.tsx'
import { SameBy } from '../../show/same-by.tsx'
import { tell } from '../../show/toast.tsx'
import { Conflict } from './conflict.tsx'
import { readConnection } from './read.ts'

/** A connection as it was when the person began to change it. */
interface Base {
  connection: Schemas['Connection']
  etag: string
}

/**
 * Changes name, config and the hub's own settings. It sends only the changed members, for the
 * version that was shown.
 */
export function SettingsForm ({ schema, hubSchema, ...now }: Base & {
  schema: Schema,
  hubSchema: Schema
}): JSX.Element {
  const [base, setBase] = useState<Base>(now)
  const [name, setName] = useState(now.connection.name)
  const [values, setValues] = useState<Values>(now.connection.config)
  const [ofHub, setOfHub] = useState<Values>(now.connection.settings)
  const [theirs, setTheirs] = useState<Base>()
  const [problem, setProblem] = useState<Error>()
  const [isRunning, setRunning] = useState(false)
  const [round, setRound] = useState(0)

  const { id, adapterKey, adapterVersion } = base.connection
  const config = patchOf(base.connection.config, values)
  const hasConfig = Object.keys(config).length > 0
  const settings = patchOf(base.connection.settings, ofHub)
  const hasSettings = Object.keys(settings).length > 0
  const isNamed = name !== base.connection.name
  const body = {
    ...(isNamed ? { name } : {}),
    ...(hasConfig ? { config: { ...config } } : {}),
    ...(hasSettings ? { settings: { ...settings } } : {})
  }
  const isChanged = hasConfig || hasSettings || isNamed
  const checked = useCheck(hasConfig
    ? { adapterKey, version: adapterVersion ?? 'latest', config: values }
    : undefined)
  const errors = hasConfig
    ? withoutStoredSecrets(checked.errors, '/config', fieldsOf(schema) ?? [], values)
    : []

  function begin (next: Base): void {
    setBase(next)
    setName(next.connection.name)
    setValues(next.connection.config)
    setOfHub(next.connection.settings)
    setTheirs(undefined)
    setProblem(undefined)
    setRound(round + 1)
  }

  async function save (ifMatch: string): Promise<void> {
    setRunning(true)
    setProblem(undefined)
    try {
      await hub.patch('/connections/{id}', { path: { id }, ifMatch, body })
      begin(await readConnection(id))
      tell({ text: `The settings of “${name}” are saved; its next job uses them.` })
      refreshAll()
    } catch (error) {
      if (error instanceof ProblemError && error.status === 412) setTheirs(await readConnection(id))
      else setProblem(error instanceof Error ? error : new Error(String(error)))
    }
    setRunning(false)
  }

  return (
    <Section title='Settings'>
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (isChanged && errors.length === 0) void save(base.etag)
        }}
      >
        <div class='schema-form'>
          <div class='field'>
            <label>
              <span>Name</span>
              <input value={name} maxLength={200} onInput={event => setName(event.currentTarget.value)} />
            </label>
          </div>
          <SchemaForm
            platformType={base.connection.platformType}
            key={round}
            schema={schema}
            values={values}
            onChange={setValues}
            problems={errors}
            pointer='/config'
            isStored
          />
          {Object.keys(hubSchema.properties ?? {}).length > 0 && (
            <>
              <h3>Settings of the hub</h3>
              <SchemaForm
                platformType={base.connection.platformType}
                key={`hub ${round}`}
                schema={hubSchema}
                values={ofHub}
                onChange={next => {
                  setOfHub(next)
                  setProblem(undefined)
                }}
                problems={problem instanceof ProblemError ? problem.errors ?? [] : []}
                pointer='/settings'
              />
            </>
          )}
        </div>
        {isChanged && (
          <div class='changed'>
            {(hasConfig || hasSettings) && (
              <Diff
                caption='Your changes'
                changes={[
                  ...configDiff(base.connection.config, values),
                  ...configDiff(base.connection.settings, ofHub, '/settings')
                ]}
              />
            )}
            {checked.problem !== undefined && <Problem error={checked.problem} />}
            {theirs !== undefined && (
              <Conflict
                base={base.connection}
                mine={{ ...base.connection, name, config: { ...values }, settings: { ...ofHub } }}
                theirs={theirs.connection}
                onTake={() => begin(theirs)}
                onKeep={() => void save(theirs.etag)}
              />
            )}
            {problem !== undefined && <Problem error={problem} />}
            {may('admin')
              ? (
                <div class='actions'>
                  <button class='primary' disabled={isRunning || errors.length > 0}>
                    {isRunning ? 'Saving…' : 'Save'}
                  </button>
                  <button type='button' onClick={() => begin(now)}>Discard</button>
                </div>
              )
              : <p>Your token may not change settings; that needs the scope admin.</p>}
            <SameBy call={{ method: 'PATCH', path: `/connections/${id}`, body }} />
          </div>
        )}
      </form>
    </Section>
  )
}
