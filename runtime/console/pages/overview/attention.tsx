import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { stepOfItem } from '../../rules/attention-steps.ts'
import { partCommands, saysCount } from '../../rules/told.ts'
import { Icon } from '../../show/icon.tsx'
import { Section } from '../../show/page.tsx'
import { Prose } from '../../show/prose.tsx'
import { Ago } from '../../show/time.tsx'

type Item = Schemas['AttentionItem']

const looks = {
  error: ['error', 'bad'],
  warning: ['warning', 'warn'],
  info: ['info', 'info']
} as const

/** The items that need a person, the gravest first, each with the way to it. */
export function Attention ({ items }: { items: readonly Item[] }): JSX.Element {
  const grave = items.filter(({ severity }) => severity !== 'info')
  const others = items.filter(({ severity }) => severity === 'info')
  return (
    <>
      {grave.length === 0 && (
        <p class='note good'>
          <Icon name='ok' /> Nothing needs a person.
        </p>
      )}
      {[['Needs a person', grave] as const, ['Good to know', others] as const].map(([title, some]) =>
        some.length > 0 && (
          <Section key={title} title={title}>
            <ul class='items'>{some.map(item => <Row key={item.key} item={item} />)}</ul>
          </Section>
        )
      )}
    </>
  )
}

function Row ({ item }: { item: Item }): JSX.Element {
  const { severity, title, detail, since, count, connectionName } = item
  const step = stepOfItem(item)
  const [icon, tone] = looks[severity]
  const { text, commands } = partCommands(detail)
  return (
    <li>
      <span class={`sign ${tone}`} title={severity}>
        <Icon name={icon} />
        <span class='hidden'>{severity}</span>
      </span>
      <div>
        <p>
          <strong>{title}</strong> {count > 1 && !saysCount(title, count) && <span class='muted'>× {count}</span>}
        </p>
        <p class='muted'>
          <Prose text={text} />
        </p>
        <p class='muted small-text'>
          {connectionName !== undefined && `${connectionName} · `}
          {since !== null && (
            <>
              since <Ago at={since} />
            </>
          )}
        </p>
        {commands.length > 0 && (
          <details>
            <summary>Same by command line</summary>
            <pre tabIndex={0}>{commands.join('\n')}</pre>
          </details>
        )}
      </div>
      <a class='button' href={step.href}>
        {step.label}
        <span class='hidden'>: {title}</span>
      </a>
    </li>
  )
}
