import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'

export interface MailSink {
  url: string
  /** The mails that it took, with their headers, as they came. */
  mails: string[]
  /** Refuses mails from now on, or takes them again. */
  refuse(isRefusing: boolean): void
}

/** A mail server that keeps the mails. It knows just enough of SMTP for one mail a connection. */
export async function startMailSink (t: Pick<Test, 'teardown'>): Promise<MailSink> {
  const mails: string[] = []
  const sockets = new Set<Socket>()
  let isRefusing = false

  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    const say = (line: string): void => {
      socket.write(`${line}\r\n`)
    }
    let mail: string[] | undefined
    createInterface({ input: socket }).on('line', line => {
      if (mail !== undefined && line !== '.') mail.push(line)
      else if (mail !== undefined) {
        mails.push(mail.join('\n'))
        mail = undefined
        say('250 taken')
      } else if (/^DATA/i.test(line)) {
        mail = []
        say('354 go on')
      } else if (/^QUIT/i.test(line)) {
        say('221 bye')
        socket.end()
      } else if (/^RCPT/i.test(line) && isRefusing) say('550 no such mailbox')
      else say('250 ok')
    })
    say('220 sink')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refuse (value) {
      isRefusing = value
    }
  }
}
