import { createValueRedactor } from '@linker/sdk/host'
import pTimeout from 'p-timeout'
import type { Channel } from './channel.ts'
import { subjectOf, textOf } from './message.ts'

export interface MailChannelOptions {
  /** `smtp://user:password@host:port`, or `smtps:` for TLS from the first byte. */
  smtpUrl: string
  from: string
  to: readonly string[]
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
const connectionTimeout = 10_000
const socketTimeout = 15_000
const sendMs = 25_000

/** Sends messages as plain text mails over the SMTP server of the operator. */
export function createMailChannel ({ smtpUrl, from, to }: MailChannelOptions): Channel {
  const { password, username, hostname } = new URL(smtpUrl)
  // Without it, a mail server in between could ask for the password in plain text.
  const requireTLS = password !== '' && !loopback.test(hostname)
  const secrets = [password, decodeURIComponent(password), username === '' ? '' : `${username}:${password}`]
  const redact = createValueRedactor(secrets.filter(text => text !== ''))

  return {
    name: 'mail',
    async send (message, signal) {
      // Load the library only when a mail is sent: most hubs send none.
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout,
        greetingTimeout: connectionTimeout,
        socketTimeout,
        requireTLS,
        disableFileAccess: true,
        disableUrlAccess: true
      })
      try {
        const sent = transport.sendMail({
          from,
          to: [...to],
          subject: subjectOf(message),
          text: textOf(message),
          date: message.at,
          // The same message sent twice has the same id, so that a mailbox may show it once.
          messageId: `<${message.id}@linker>`,
          headers: { 'Auto-Submitted': 'auto-generated' }
        })
        await pTimeout(sent, { milliseconds: sendMs, signal })
      } catch (error) {
        throw new Error(String(redact(error instanceof Error ? error.message : String(error))), {
          cause: redact(error)
        })
      } finally {
        transport.close()
      }
    }
  }
}
