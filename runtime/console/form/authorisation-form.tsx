import { ProblemError } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { may } from '../hub/session.ts'
import { redirectOf, redirectWarning, type Redirect } from '../rules/authorisation.ts'
import type { Serving } from '../rules/platforms.ts'
import { Copy } from '../show/copy.tsx'
import { Icon } from '../show/icon.tsx'
import { Problem } from '../show/problem.tsx'
import { beginAuthorisation } from './begin-authorisation.ts'
import { fieldsOf, type Schema } from './fields-of.ts'
import { SchemaForm } from './schema-form.tsx'
import { problemsElsewhere, type FieldProblem, type Values } from './values-of.ts'

/** The member of every form that names a connection which is authorised again. */
const idMember = 'connectionId'

interface AuthorisationFormProps {
  adapter: Serving
  /** The page to which the browser comes back. */
  page: string
  /** Values that the page knows, such as the name; members that the form lacks are left out. */
  known: Values
}

/** The form that begins an authorisation in a browser, as the adapter describes it. */
export function AuthorisationForm ({ adapter, page, known }: AuthorisationFormProps): JSX.Element | null {
  const { authorisation, routes } = adapter
  const { query } = useLocation()
  const schema = (authorisation?.schema ?? {}) as Schema
  const redirect = redirectOf(schema, routes, location.origin)
  const names = fieldsOf(schema)?.map(({ name }) => name) ?? []
  const [values, setValues] = useState<Values>(() => ({
    ...Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name))),
    ...(redirect === undefined ? {} : { [redirect.member]: redirect.address })
  }))
  const [problem, setProblem] = useState<Error>()
  const [isRunning, setRunning] = useState(false)
  const system = useLive(signal => hub.get('/system', { signal }), [], { everyMs: 0 })
  if (authorisation === null) return null

  async function begin (event: Event): Promise<void> {
    event.preventDefault()
    setRunning(true)
    setProblem(undefined)
    try {
      await beginAuthorisation(authorisation?.path ?? '', values, page)
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
      setRunning(false)
    }
  }

  const problems = faultsOf(problem)
  const isShown = problems.length > 0 && problemsElsewhere(problems, '', fieldsOf(schema) ?? []).length === 0
  const warning = redirect === undefined ? undefined : redirectWarning(values[redirect.member], {
    origin: location.origin,
    publicUrl: system.data?.publicUrl ?? null
  })
  return (
    <form class='step-end' noValidate onSubmit={event => void begin(event)}>
      {query.error !== undefined && problem === undefined && <Refused code={query.error} detail={query.detail} />}
      {redirect !== undefined && <Register redirect={redirect} />}
      <SchemaForm
        platformType={adapter.platformType}
        schema={schema}
        values={values}
        onChange={setValues}
        problems={problems}
        pointer=''
        without={[idMember]}
      />
      {warning !== undefined && (
        <p class='note warn'>
          <Icon name='warning' /> <span>{warning}</span>
        </p>
      )}
      {problem !== undefined && !isShown && <Problem error={problem} />}
      {may('admin')
        ? (
          <div class='actions'>
            <button class='primary' disabled={isRunning}>{isRunning ? 'Opening the platform…' : 'Authorise'}</button>
            <span class='muted'>The page of the platform opens in this tab, and brings you back.</span>
          </div>
        )
        : <p>Your token may not authorise accounts; that needs the scope admin.</p>}
    </form>
  )
}

/** The address that the application at the platform must know. */
function Register ({ redirect: { address } }: { redirect: Redirect }): JSX.Element {
  return (
    <div>
      <p>Register this redirect address with your application at the platform, exactly as it stands here:</p>
      <div class='code-line'>
        <pre tabIndex={0}>{address}</pre>
        <Copy text={address} />
      </div>
    </div>
  )
}

function Refused ({ code, detail }: { code: string, detail: string | undefined }): JSX.Element {
  return (
    <div class='note bad' role='alert'>
      <Icon name='error' />
      <div>
        <p>
          <strong>The account was not authorised.</strong> {detail}
        </p>
        <p class='remedy'>
          <code>{code}</code>
        </p>
      </div>
    </div>
  )
}

/** Problems of the body, with pointers from its root. */
function faultsOf (problem: Error | undefined): readonly FieldProblem[] {
  if (!(problem instanceof ProblemError) || problem.errors === undefined) return []
  return problem.errors.map(({ pointer, ...rest }) => ({ ...rest, pointer: pointer.replace(/^\/body(?=\/)/, '') }))
}
