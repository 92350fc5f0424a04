import { ProblemError } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useMemo, useState } from 'preact/hooks'
import { testSettings, useCheck, type ConnectionTest } from '../../form/check.ts'
import type { Schema } from '../../form/fields-of.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { TestResult } from '../../form/test-result.tsx'
import { problemsSoFar, type Values } from '../../form/values-of.ts'
import { hub } from '../../hub/hub.ts'
import { randomKey } from '../../hub/random-key.ts'
import { may } from '../../hub/session.ts'
import { addressOf } from '../../rules/addresses.ts'
import type { Serving } from '../../rules/platforms.ts'
import { Section } from '../../show/page.tsx'
import { Problem } from '../../show/problem.tsx'
import { SameBy } from '../../show/same-by.tsx'
import { tell } from '../../show/toast.tsx'

interface SettingsFormProps {
  adapter: Serving
  config: Schema
  /** The hub's own settings of such a connection. */
  hubSchema: Schema
  credentials: Schema
  /** The config that the page knows without the person. */
  start: Values
}

/** The form of a new connection: name, credentials, settings, test, create. */
export function SettingsForm (props: SettingsFormProps): JSX.Element {
  const { adapter, config, hubSchema, credentials, start } = props
  const { adapterKey, version, platformType, webhooks } = adapter
  const { route } = useLocation()
  const [name, setName] = useState(adapter.displayName ?? '')
  const [values, setValues] = useState<Values>(start)
  const [ofHub, setOfHub] = useState<Values>({})
  const [secrets, setSecrets] = useState<Values>({})
  const [isDone, setDone] = useState(false)
  const [running, setRunning] = useState<'test' | 'create'>()
  const [tested, setTested] = useState<{ key: string, test: ConnectionTest }>()
  const [problem, setProblem] = useState<Error>()
  const [allowsSameAccount, allowSameAccount] = useState(false)

  const needsCredentials = credentials.type !== 'null'
  const settings = { adapterKey, version, config: values, ...(needsCredentials ? { credentials: secrets } : {}) }
  const key = JSON.stringify(settings)
  const checked = useCheck(settings)
  const errors = problemsSoFar(checked.errors, isDone)
  const test = tested?.key === key ? tested.test : undefined
  // The same form makes one connection, however often the button is pressed.
  const idempotencyKey = useMemo(randomKey, [key, JSON.stringify(ofHub), name, allowsSameAccount])

  async function run (what: 'test' | 'create'): Promise<void> {
    setDone(true)
    if (checked.isValid === false || running !== undefined) return
    setRunning(what)
    setProblem(undefined)
    try {
      await (what === 'test' ? tryOut() : create())
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
    }
    setRunning(undefined)
  }

  async function tryOut (): Promise<void> {
    const { test: result } = await testSettings(settings)
    if (result !== undefined) setTested({ key, test: result })
  }

  async function create (): Promise<void> {
    const { id } = await hub.post('/connections', {
      idempotencyKey,
      body: {
        name,
        platformType,
        adapterKey,
        adapterVersion: version,
        config: { ...values },
        ...(Object.keys(ofHub).length > 0 ? { settings: { ...ofHub } } : {}),
        ...(allowsSameAccount ? { allowSameAccount: true } : {}),
        ...(needsCredentials ? { credentials: { ...secrets } } : {})
      }
    })
    tell({ text: `“${name}” is connected.`, href: addressOf.connection(id) })
    route(webhooks === null ? addressOf.connection(id) : `${addressOf.connection(id)}/webhooks?new=1`)
  }

  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void run(test?.success === true ? 'create' : 'test')
      }}
    >
      <Section title='Account'>
        <div class='schema-form'>
          <div class='field'>
            <label>
              <span>Name</span>
              <input
                required
                maxLength={200}
                value={name}
                aria-describedby='connection-name-about'
                onInput={event => setName(event.currentTarget.value)}
              />
            </label>
            <div id='connection-name-about' class='about'>
              <p class='muted'>For you and your colleagues. It can be changed later.</p>
            </div>
          </div>
          {needsCredentials && (
            <SchemaForm
              platformType={platformType}
              schema={credentials}
              values={secrets}
              onChange={setSecrets}
              problems={errors}
              pointer='/credentials'
            />
          )}
        </div>
      </Section>
      <Section title='Settings'>
        <SchemaForm
          platformType={platformType}
          schema={config}
          values={values}
          onChange={setValues}
          problems={errors}
          pointer='/config'
        />
      </Section>
      {Object.keys(hubSchema.properties ?? {}).length > 0 && (
        <Section title='Settings of the hub'>
          <SchemaForm
            platformType={platformType}
            schema={hubSchema}
            values={ofHub}
            onChange={next => {
              setOfHub(next)
              setProblem(undefined)
            }}
            problems={problem instanceof ProblemError ? problem.errors ?? [] : []}
            pointer='/settings'
          />
        </Section>
      )}
      <Section title='Test and create'>
        <div class='step-end'>
          {checked.problem !== undefined && <Problem error={checked.problem} />}
          {checked.warnings.map(({ pointer, message }) => (
            <p key={pointer + message} class='muted'>
              <code>{pointer}</code> {message}
            </p>
          ))}
          {test !== undefined && <TestResult test={test} />}
          {problem !== undefined && <Problem error={problem} />}
          {(allowsSameAccount || isAccountTaken(problem)) && (
            <label class='check'>
              <input
                type='checkbox'
                checked={allowsSameAccount}
                onChange={event => allowSameAccount(event.currentTarget.checked)}
              />
              Create it beside the other connection to this account, which then takes all orders
            </label>
          )}
          <output class='muted'>{stateOf({ isValid: checked.isValid, isDone, test })}</output>
          {may('admin')
            ? (
              <div class='actions'>
                <button
                  class={test?.success === true ? undefined : 'primary'}
                  type='button'
                  disabled={running !== undefined}
                  onClick={() => void run('test')}
                >
                  {running === 'test' ? 'Asking the platform…' : 'Test'}
                </button>
                <button
                  class={test?.success === true ? 'primary' : undefined}
                  type='button'
                  disabled={running !== undefined}
                  onClick={() => void run('create')}
                >
                  {running === 'create' ? 'Creating…' : test?.success === true ? 'Create' : 'Create without a test'}
                </button>
              </div>
            )
            : <p>Your token may not make connections; that needs the scope admin.</p>}
          <SameBy
            cli={`linker connections create --platform ${platformType} --adapter ${adapterKey} --name "${name}" ` +
              `--config @config.json${needsCredentials ? ' --credentials @credentials.json' : ''} --dry-run`}
          />
        </div>
      </Section>
    </form>
  )
}

function isAccountTaken (problem: Error | undefined): boolean {
  return problem instanceof ProblemError && problem.code === 'LNK_ACCOUNT_CONNECTED'
}

function stateOf ({ isValid, isDone, test }: {
  isValid: boolean | undefined,
  isDone: boolean,
  test: ConnectionTest | undefined
}): string {
  if (isValid === undefined) return 'Checking the settings…'
  if (!isValid) {
    return isDone
      ? 'Some fields above need another value.'
      : 'The test asks the platform with these settings.'
  }
  if (test === undefined) return 'The settings fit. The test asks the platform with them and stores nothing.'
  return test.success ? 'Ready to create.' : 'Correct the settings and test again.'
}
