import { emitKeypressEvents } from 'node:readline'
import { createInterface } from 'node:readline/promises'

/** The terminal of an author. */
export interface Terminal {
  input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown }
  output: NodeJS.WritableStream
}

/** Asks the author. An empty answer is the offer. Undefined: Ctrl-C ended the question. */
export type Ask = (question: string, offer: string) => Promise<string | undefined>

/** The action of a key. Its run may ask, and throws errors that the author has to read. */
export interface Key {
  does: string
  /** Whether it also works while another key runs. */
  isAlways?: boolean
  run(ask: Ask): Promise<void>
}

export interface Keys {
  close(): void
}

export interface KeysOptions {
  terminal: Terminal
  keys: Readonly<Record<string, Key>>
  /** Takes the error of a key, and the help. */
  say(text: string): void
  /** Ctrl-C: without it, a terminal that gives single keys would never end the program. */
  onInterrupt(): void
}

/** Lists the keys with what they do, one a line. */
export function describeKeys (keys: Readonly<Record<string, Key>>): string {
  return [...Object.entries(keys).map(([name, { does }]) => [name, does] as const), ['?', 'list the keys'] as const]
    .map(([name, does]) => `  ${name}  ${does}`).join('\n')
}

/**
 * Runs what a pressed key stands for, one at a time. Keys that are pressed meanwhile are lost,
 * except for Ctrl-C and those that work always.
 */
export function listenForKeys ({ terminal, keys, say, onInterrupt }: KeysOptions): Keys {
  const { input, output } = terminal
  let isBusy = false
  let isAsking = false

  const ask: Ask = async (question, offer) => {
    isAsking = true
    const reader = createInterface({ input, output, terminal: true })
    const ended = new AbortController()
    for (const event of ['SIGINT', 'close'] as const) {
      reader.once(event, () => {
        ended.abort()
      })
    }
    try {
      const answer = await reader.question(`${question} [${offer}]: `, { signal: ended.signal })
      return answer.trim() === '' ? offer : answer.trim()
    } catch {
      output.write('\n')
      return undefined
    } finally {
      reader.close()
      isAsking = false
      listen()
    }
  }

  function listen (): void {
    input.setRawMode?.(true)
    input.resume()
  }

  async function press (name: string): Promise<void> {
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined
    if (key?.isAlways === true) return key.run(ask)
    if (isBusy) return
    if (name === '?') return say(describeKeys(keys))
    if (key === undefined) return
    isBusy = true
    try {
      await key.run(ask)
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    } finally {
      isBusy = false
    }
  }

  function onKeypress (text: string | undefined, { ctrl = false, name }: { ctrl?: boolean, name?: string }): void {
    // A question reads the keys itself.
    if (isAsking) return
    if (ctrl && name === 'c') return onInterrupt()
    press(text ?? '').catch(() => undefined)
  }

  emitKeypressEvents(input)
  input.on('keypress', onKeypress)
  listen()
  return {
    close () {
      input.off('keypress', onKeypress)
      input.setRawMode?.(false)
      input.pause()
    }
  }
}
