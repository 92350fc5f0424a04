import { ProblemError } from '@linker/client'
import { effect } from '@preact/signals'
import { hub } from './hub.ts'
import { session } from './session.ts'

/** Says that this browser was signed in. It is no secret; the cookie is what the hub trusts. */
const storedAs = 'linker-signed-in'

effect(() => {
  const { value: who } = session
  if (who === null) localStorage.removeItem(storedAs)
  else if (who !== undefined) localStorage.setItem(storedAs, 'yes')
})

/**
 * Finds out who is signed in. A link of `linker console` carries a code in its fragment, which
 * browsers send to nobody; the code works once, so it is taken out of the address at once.
 */
export async function openSession (): Promise<Error | undefined> {
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? []
  if (code !== undefined) {
    history.replaceState(null, '', location.pathname + location.search)
    try {
      session.value = await hub.post('/session', { body: { code } })
      return undefined
    } catch (error) {
      session.value = null
      return toError(error)
    }
  }
  // Ask only when there may be a session: browsers log each refused request as an error.
  if (localStorage.getItem(storedAs) === null) {
    session.value = null
    return undefined
  }
  try {
    session.value = await hub.get('/session')
  } catch (error) {
    session.value = null
    return error instanceof ProblemError && error.status === 401 ? undefined : toError(error)
  }
  return undefined
}

export async function signIn (token: string): Promise<void> {
  session.value = await hub.post('/session', { body: { token } })
}

export async function signOut (): Promise<void> {
  await hub.delete('/session')
  session.value = null
}

function toError (error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
