import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { duration } from '../../rules/times.ts'
import { webhookAddress, webhookPath } from '../../rules/webhook-address.ts'
import { Copy } from '../../show/copy.tsx'
import { Facts } from '../../show/facts.tsx'
import { Icon } from '../../show/icon.tsx'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import { InstallButton } from './install-button.tsx'
import type { Read } from './read.ts'
import { TestEventButton } from './test-event-button.tsx'

interface Found {
  status: Schemas['WebhookStatus']
  refusals: readonly Schemas['WebhookRefusal'][]
  deliveries: readonly Schemas['WebhookDelivery'][]
}

const fewDeliveries = 5

/** Whether the webhooks of the connection arrive, and if not, why. */
export function Webhooks ({ connection }: Read): JSX.Element {
  const { id } = connection
  const { query } = useLocation()
  const live = useLive<Found>(
    async signal => {
      const [status, refusals, deliveries] = await Promise.all([
        hub.get('/connections/{id}/webhooks/status', { path: { id }, signal }),
        hub.get('/connections/{id}/webhooks/refusals', { path: { id }, signal }),
        hub.get('/webhook-deliveries', { query: { connectionId: id, limit: fewDeliveries }, signal })
      ])
      return { status, refusals, deliveries }
    },
    [id],
    { everyMs: 2_000 }
  )
  const isNew = query.new !== undefined && live.data?.status.lastDeliveryAt === null
  return (
    <>
      {isNew && (
        <output class='note good'>
          <Icon name='ok' />
          <span>
            <strong>The connection is made.</strong>{' '}
            Install its webhooks, so that the platform tells the hub about each change at once.
          </span>
        </output>
      )}
      <Loaded live={live}>
        {({ status, refusals, deliveries }) => (
          <>
            <Section
              title='Webhooks'
              actions={
                <>
                  {status.webhooksConfigured && status.callbackUrl !== null && (
                    <TestEventButton connection={connection} />
                  )}
                  <InstallButton connection={connection} status={status} />
                </>
              }
            >
              <Status connection={connection} status={status} />
            </Section>
            <Refusals refusals={refusals} />
            <Section title='Last deliveries'>
              <Deliveries deliveries={deliveries} />
              {deliveries.length === fewDeliveries && (
                <p class='more'>
                  <a href={`/console/deliveries?connectionId=${id}`}>All deliveries of this connection</a>
                </p>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

function Status ({ connection, status }: Pick<Read, 'connection'> & { status: Found['status'] }): JSX.Element {
  const { webhooksConfigured, lastDeliveryAt, lastDeliveryEvent, lastDeliveryResult, secretAgeSeconds } = status
  const { testPingAt, testPingProblem } = status
  const address = webhookAddress(connection)
  return (
    <>
      {testPingProblem !== null && (
        <p class='note warn'>
          <Icon name='warning' /> <span>The test event did not arrive: {testPingProblem}</span>
        </p>
      )}
      {address === undefined && (
        <p class='note warn'>
          <Icon name='warning' />
          <span>
            The connection does not know the public address of the hub. Set{' '}
            <a href={`/console/connections/${connection.id}/settings`}>Callback base URL</a> first.
          </span>
        </p>
      )}
      <Facts
        of={[
          [
            'Set up',
            <State key='set' name={webhooksConfigured ? 'yes' : 'no'} tone={webhooksConfigured ? 'good' : 'warn'} />
          ],
          [
            'Last delivery',
            (
              <>
                <Ago at={lastDeliveryAt} /> {lastDeliveryEvent}{' '}
                {lastDeliveryResult !== null && <State name={lastDeliveryResult} />}
              </>
            )
          ],
          [
            'Test event',
            testPingAt === null
              ? 'none was sent'
              : (
                <>
                  <Ago at={testPingAt} /> {testPingProblem === null ? 'arrived' : 'did not arrive'}
                </>
              )
          ],
          [
            'Age of the secret',
            secretAgeSeconds === null
              ? 'not known: no install made it'
              : duration(secretAgeSeconds * 1_000)
          ]
        ]}
      />
      <div class='code-line'>
        <pre tabIndex={0}>{address ?? `https://<public address of the hub>${webhookPath(connection)}`}</pre>
        {address !== undefined && <Copy text={address} />}
      </div>
    </>
  )
}

function Refusals ({ refusals }: { refusals: Found['refusals'] }): JSX.Element {
  return (
    <Section title='Refused deliveries'>
      {refusals.length === 0 ?
        <p class='muted'>The hub has refused no delivery of this connection.</p> :
        (
          <ul class='findings'>
            {refusals.map(({ code, count, firstAt, lastAt, lastDetail, remedy }) => (
              <li key={code}>
                <p>
                  <State name={`${count} refused`} tone='bad' /> <code>{code}</code>{' '}
                  <span class='muted'>
                    since <Ago at={firstAt} />, last <Ago at={lastAt} />
                  </span>
                </p>
                {lastDetail !== null && <p>{lastDetail}</p>}
                <p>
                  <strong>Remedy:</strong> {remedy}
                </p>
              </li>
            ))}
          </ul>
        )}
    </Section>
  )
}

function Deliveries ({ deliveries }: { deliveries: Found['deliveries'] }): JSX.Element {
  return (
    <Table
      caption='The newest deliveries that the hub accepted'
      rows={deliveries}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => addressOf.delivery(id)}
      columns={[
        { head: 'Event', cell: ({ eventType }) => eventType ?? 'not known' },
        { head: 'Object', cell: ({ externalId }) => externalId ?? '' },
        { head: 'Arrived', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { head: 'Result', cell: ({ status }) => <State name={status} /> }
      ]}
      empty={<p class='muted'>Nothing has arrived yet. The install sends a test event, which then stands here.</p>}
    />
  )
}
