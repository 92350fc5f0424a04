import { Migration } from '@mikro-orm/migrations'
import { parse, v5 } from 'uuid'

interface OldRow {
  id: string
  connectionId: string
  eventId: string
  message: string
}

/** The namespace in which the ids of deliveries are made from their events. */
const namespace = parse('6f0f3c1e-6c0e-5b43-9a55-6b1c1c6f2a11')
const mostAtOnce = 16

/**
 * Gives each ignored event the id of its delivery and the reason, and adds the counts of refused
 * deliveries.
 */
export class WebhookDeliveries extends Migration {
  override async up (): Promise<void> {
    await this.execute(`
      -- event: the fields of the event as JSON, without the payload of the sender. It stays when
      -- message, which has the payload, is removed.
      alter table ignored_events
        add column delivery_id uuid,
        add column provider text,
        add column reason text,
        add column event text,
        alter column message drop not null,
        alter column ignored_at type timestamptz(3)
    `)
    // A message may be a quarter of a megabyte, so read few at once.
    for (let rows = await this.nextRows(); rows.length > 0; rows = await this.nextRows()) {
      for (const row of rows) await this.describe(row)
    }
    this.addSql(`
      alter table ignored_events
        alter column delivery_id set not null,
        alter column provider set not null,
        alter column reason set not null,
        alter column event set not null;
      create index ignored_events_delivery on ignored_events (delivery_id);

      -- One row per connection and code, however many deliveries were refused.
      create table webhook_refusals (
        connection_id uuid not null references connections (id) on delete cascade,
        code text not null,
        count bigint not null,
        first_at timestamptz(3) not null,
        last_at timestamptz(3) not null,
        -- The explanation in the last answer; null when it could repeat what the sender sent.
        last_detail text,
        primary key (connection_id, code)
      );
    `)
  }

  private async nextRows (): Promise<OldRow[]> {
    const rows: unknown = await this.execute(`
      select id::text, connection_id as "connectionId", event_id as "eventId", message
      from ignored_events
      where delivery_id is null
      order by id
      limit ${mostAtOnce}
    `)
    return rows as OldRow[]
  }

  /** Events of tests were not kept until now, so each row has an event of an unknown type. */
  private async describe ({ id, connectionId, eventId, message }: OldRow): Promise<void> {
    const { eventType, payloadJson, metadataJson, occurredAt, publishedAt } = textsOf(message)
    const { provider, requestId } = textsOf(metadataJson)
    const { objectType, externalId } = textsOf(payloadJson)
    const event = {
      provider,
      connectionId,
      requestId,
      objectType,
      externalId,
      eventId,
      eventType: eventType?.replace('inbound.webhook.', ''),
      occurredAt,
      publishedAt
    }
    await this.execute(
      'update ignored_events set delivery_id = ?, provider = ?, reason = ?, event = ? where id = ?',
      [
        v5(Buffer.from(`webhook:${provider}:${connectionId}:${eventId}`), namespace),
        provider,
        'unknown event type',
        JSON.stringify(event),
        id
      ]
    )
  }
}

/** The hub wrote these texts itself, from values that it had checked. */
function textsOf (json = '{}'): Partial<Record<string, string>> {
  return JSON.parse(json) as Partial<Record<string, string>>
}
