import { createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { anyHub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { offersOf, routeAddress } from './offers-of.ts'

/** The platform whose adapter brought the form; its routes offer values. */
export const PlatformOfForm = createContext('')

/** The values that the adapter offers for a text. The field takes others, too. */
export function OfferedValues ({ id, path }: { id: string, path: string }): JSX.Element {
  const platformType = useContext(PlatformOfForm)
  const { data = [] } = useLive(
    async signal => offersOf(await anyHub.get(routeAddress(platformType, path), { signal })),
    [platformType, path],
    { everyMs: 0 }
  )
  return (
    <datalist id={id}>
      {data.map(({ value, title }) => <option key={value} value={value}>{title}</option>)}
    </datalist>
  )
}
