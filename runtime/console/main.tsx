import { render, type JSX } from 'preact'
import { LocationProvider } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { session } from './hub/session.ts'
import { openSession } from './hub/sign-in.ts'
import { SignIn } from './pages/sign-in.tsx'
import { Routes } from './routes.tsx'
import { Shell } from './show/shell.tsx'

function Console (): JSX.Element | null {
  const [problem, setProblem] = useState<Error>()

  useEffect(() => {
    const open = (): void => void openSession().then(setProblem)
    open()
    // Who opens a link of `linker console` in the tab of the sign-in changes the fragment only.
    const reopen = (): void => {
      if (session.value === null && location.hash !== '') open()
    }
    addEventListener('hashchange', reopen)
    return () => removeEventListener('hashchange', reopen)
  }, [])

  const { value: who } = session
  if (who === undefined) return null
  if (who === null) return <SignIn key={String(problem)} problem={problem} />
  return (
    <LocationProvider scope={/^\/console(?:\/|$)/}>
      <Shell>
        <Routes />
      </Shell>
    </LocationProvider>
  )
}

const root = document.querySelector('#console')
if (root !== null) render(<Console />, root)
