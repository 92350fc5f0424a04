import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { clock } from '../../hub/clock.ts'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { isWatched, splitAt, watchedMs, type Half } from '../../rules/move-watch.ts'
import { pinText } from '../../rules/moves.ts'
import { duration } from '../../rules/times.ts'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { Table } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'

type Move = Schemas['PastMove']

/** Watches a young move: the figures before it beside those after it. */
export function Watch (props: { connection: Schemas['Connection'], last: Move }): JSX.Element | null {
  return isWatched(props.last.movedAt, clock.value) ? <Young {...props} /> : null
}

function Young ({ connection: { id }, last: { movedAt, to, rolledBackAt } }: {
  connection: Schemas['Connection'],
  last: Move
}): JSX.Element {
  const movedMs = Date.parse(movedAt)
  const live = useLive(
    signal =>
      hub.get('/figures', {
        query: { connectionId: id, from: new Date(movedMs - watchedMs).toISOString(), step: 60 },
        signal
      }),
    [id, movedAt],
    { everyMs: 15_000 }
  )
  return (
    <Section title={rolledBackAt === null ? 'Since the move' : 'Since the move, which is rolled back'}>
      <p class='muted'>
        Moved to <code>{to === null ? 'another version' : pinText(to)}</code>{' '}
        <Ago at={movedAt} />. If it fails more than before, roll it back below.
      </p>
      <Loaded live={live}>{figures => <Halves {...splitAt(movedAt, figures)} />}</Loaded>
    </Section>
  )
}

function Halves ({ before, after }: { before: Half, after: Half }): JSX.Element {
  const rows: readonly (readonly [name: string, of: (half: Half) => string])[] = [
    ['Jobs that succeeded', ({ succeeded }) => String(succeeded)],
    ['Runs that failed', ({ failed }) => String(failed)],
    ['Quantities written', ({ writes }) => String(writes)],
    ['Slowest minute of the platform', ({ latencyMs }) => latencyMs === null ? 'no request' : duration(latencyMs)]
  ]
  return (
    <Table
      caption='The 30 minutes before the move, and the time since'
      rows={rows}
      keyOf={([name]) => name}
      columns={[
        { head: 'Figure', cell: ([name]) => name },
        { head: 'Before', cell: ([, of]) => of(before), isNumber: true },
        { head: 'Since', cell: ([, of]) => of(after), isNumber: true }
      ]}
      empty=''
    />
  )
}
