import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { canTakeOver, describeTaken } from '../../rules/take-over.ts'
import { Action } from '../../show/action.tsx'
import { Icon } from '../../show/icon.tsx'
import { Ago } from '../../show/time.tsx'

/**
 * The deleted connections to the same account whose orders the connection can take over, the one
 * that was made last first.
 */
export function TakeOver ({ connection }: { connection: Schemas['Connection'] }): JSX.Element | null {
  const { id, name } = connection
  const isAble = canTakeOver(connection)
  const { data: deleted = [] } = useLive(
    async signal => isAble ? hub.get('/connections/deleted', { query: { takeOverBy: id }, signal }) : [],
    [id, isAble],
    { everyMs: 0 }
  )
  return (
    <>
      {deleted.toReversed().map(former => (
        <div key={former.id} class='note warn'>
          <Icon name='warning' />
          <div>
            <p>
              “{former.name}”, deleted{' '}
              <Ago at={former.deletedAt} />, opened the same account. Orders that were placed before “{name}” began are
              not made in the shop, and the links of offers are not there.
            </p>
            <Action
              label={`Take over “${former.name}”…`}
              scope='admin'
              title={`Take over “${former.name}”`}
              confirm='Take over'
              cli={`linker connections take-over ${id} ${former.id}`}
              call={{ method: 'POST', path: `/connections/${id}/take-over` }}
              run={async () => {
                const { taken } = await hub.post('/connections/{id}/take-over', {
                  path: { id },
                  body: { connectionId: former.id }
                })
                return { text: describeTaken(name, taken) }
              }}
            >
              <p>
                “{name}” gets its orders, links of offers, limits and cursors, and goes on where it ended. Jobs of “
                {name}” end first.
              </p>
            </Action>
          </div>
        </div>
      ))}
    </>
  )
}
