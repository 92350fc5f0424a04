import type { ComponentChildren, JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { hub } from '../hub/hub.ts'
import { isLive, useLive } from '../hub/live.ts'
import { session } from '../hub/session.ts'
import { signOut } from '../hub/sign-in.ts'
import { Icon, type IconName } from './icon.tsx'
import { Keys } from './keys.tsx'
import { Search } from './search.tsx'
import { ThemeSwitch } from './theme.tsx'
import { attentionCount } from './title.ts'
import { tell, Toast } from './toast.tsx'

type Place = readonly [name: string, href: string, icon: IconName]

const places: readonly Place[] = [
  ['Overview', '/console/', 'overview'],
  ['Connections', '/console/connections', 'connections'],
  ['Offers', '/console/offers', 'offers'],
  ['Stock', '/console/stock', 'stock'],
  ['Orders', '/console/orders', 'orders'],
  ['Jobs', '/console/jobs', 'jobs'],
  ['Deliveries', '/console/deliveries', 'deliveries'],
  ['Adapters', '/console/adapters', 'adapters']
]
const below: readonly Place[] = [
  ['Figures', '/console/figures', 'figures'],
  ['Audit', '/console/audit', 'audit'],
  ['Access', '/console/access', 'access'],
  ['System', '/console/system', 'system']
]

/** The frame of every page: places at the left, search and session at the top. */
export function Shell ({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <div class='shell'>
      <a class='skip' href='#main'>Skip to the content</a>
      <header class='top'>
        <button type='button' class='bare menu' popovertarget='places' aria-label='Menu'>
          <Icon name='menu' />
        </button>
        <a class='brand' href='/console/'>Linker</a>
        <Search />
        <Attention />
        <ThemeSwitch />
        <Person />
      </header>
      <nav id='places' class='places' popover='auto' aria-label='Pages'>
        <Places of={places} />
        <Places of={below} />
      </nav>
      <main id='main' tabIndex={-1}>
        {!isLive.value && !document.hidden && (
          <p class='note info'>
            <Icon name='paused' />{' '}
            Nobody used this page for ten minutes, so it stopped asking the hub. Move the pointer or press a key to go
            on.
          </p>
        )}
        {children}
      </main>
      <Toast />
      <Keys />
    </div>
  )
}

function Places ({ of }: { of: readonly Place[] }): JSX.Element {
  const { path } = useLocation()
  const isHere = (href: string): boolean => {
    const bare = href.replace(/\/$/, '')
    return bare === '/console' ? path === bare : path === bare || path.startsWith(`${bare}/`)
  }

  return (
    <ul>
      {of.map(([name, href, icon]) => (
        <li key={href}>
          <a href={href} aria-current={isHere(href) ? 'page' : undefined} onClick={closeMenu}>
            <Icon name={icon} /> {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

function closeMenu (): void {
  const menu = document.querySelector<HTMLElement>('#places')
  if (menu?.matches(':popover-open') === true) menu.hidePopover()
}

/** How much needs a person, here and in the title of the tab. */
function Attention (): JSX.Element | null {
  const { data } = useLive(signal => hub.get('/attention', { signal }), [], { everyMs: 15_000 })
  const count = data?.filter(({ severity }) => severity !== 'info').length ?? 0
  attentionCount.value = count
  if (count === 0) return null
  const isGrave = data?.some(({ severity }) => severity === 'error') === true
  return (
    <a class={`attention ${isGrave ? 'bad' : 'warn'}`} href='/console/'>
      <Icon name={isGrave ? 'error' : 'warning'} /> {count}
      <span class='hidden'>{count === 1 ? ' thing needs' : ' things need'} a person</span>
    </a>
  )
}

function Person (): JSX.Element | null {
  const { value: who } = session
  if (who === null || who === undefined) return null

  async function leave (): Promise<void> {
    try {
      await signOut()
    } catch (error) {
      tell({ text: error instanceof Error ? error.message : String(error), isBad: true })
    }
  }

  return (
    <div class='person'>
      <span title={`Scope: ${who.scope}`}>{who.name} · {who.scope}</span>
      {who.isSession && <button type='button' class='small' onClick={() => void leave()}>Sign out</button>}
    </div>
  )
}
