import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { Icon } from '../../show/icon.tsx'
import { Problem } from '../../show/problem.tsx'

/** Asks the hub who would dispatch an order with a delivery method, by the stored rules. */
export function Resolve ({ id, methods }: {
  id: string,
  methods: readonly { id: string, name: string }[]
}): JSX.Element {
  const list = useId()
  const [method, setMethod] = useState('')
  const [answer, setAnswer] = useState<{ route?: Schemas['Route'], problem?: Error }>()

  async function resolve (event: Event): Promise<void> {
    event.preventDefault()
    try {
      const query = { deliveryMethodId: method.trim() }
      setAnswer({ route: await hub.get('/connections/{id}/routing-rules/resolve', { path: { id }, query }) })
    } catch (error) {
      setAnswer({ problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }

  const route = answer?.route
  return (
    <form class='step-end' onSubmit={event => void resolve(event)}>
      <label>
        <span>Delivery method</span>
        <input required list={list} value={method} onInput={event => setMethod(event.currentTarget.value)} />
      </label>
      <datalist id={list}>{methods.map(each => <option key={each.id} value={each.id}>{each.name}</option>)}</datalist>
      <div class='actions'>
        <button>Ask</button>
      </div>
      {answer?.problem !== undefined && <Problem error={answer.problem} />}
      {route !== undefined && (
        <output class={`note ${route.problem === undefined ? 'good' : 'warn'}`}>
          <Icon name={route.problem === undefined ? 'ok' : 'warning'} />
          <span>
            {route.explanation}.{route.problem !== undefined && ` An order would wait: ${route.problem}.`}
          </span>
        </output>
      )}
    </form>
  )
}
