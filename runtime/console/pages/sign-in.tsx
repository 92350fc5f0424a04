import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { signIn } from '../hub/sign-in.ts'
import { Problem } from '../show/problem.tsx'

/** Shown in the place of every page while nobody is signed in; the address stays. */
export function SignIn ({ problem: before }: { problem: Error | undefined }): JSX.Element {
  const [problem, setProblem] = useState(before)
  const [isRunning, setRunning] = useState(false)

  async function submit (event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token')
    setRunning(true)
    try {
      await signIn(String(token).trim())
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
      setRunning(false)
    }
  }

  return (
    <main class='sign-in'>
      <form class='card' onSubmit={event => void submit(event)}>
        <h1>Sign in to Linker</h1>
        <label>
          <span>Token</span>
          <input name='token' type='password' required autocomplete='current-password' autofocus />
        </label>
        <p class='muted'>
          <code>linker console</code> on the machine of the hub prints a link that signs you in.{' '}
          <code>linker token</code>{' '}
          prints the hub’s own token; people with less to do get a token of their own on the page Access.
        </p>
        {problem !== undefined && <Problem error={problem} />}
        <button class='primary' disabled={isRunning}>Sign in</button>
      </form>
    </main>
  )
}
