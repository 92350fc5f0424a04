import type { JSX } from 'preact'
import { Copy } from './copy.tsx'

export interface SameCall {
  method: string
  path: string
  body?: unknown
}

/** The same action as a command and as a request, for people who automate. */
export function SameBy ({ cli, call }: { cli?: string | undefined, call?: SameCall | undefined }): JSX.Element | null {
  if (cli === undefined && call === undefined) return null
  return (
    <details class='same-by'>
      <summary>Same by command line</summary>
      {cli !== undefined && <CodeLine text={cli} />}
      {call !== undefined && <CodeLine text={curlOf(call)} />}
    </details>
  )
}

function CodeLine ({ text }: { text: string }): JSX.Element {
  return (
    <div class='code-line'>
      <pre tabIndex={0}>{text}</pre>
      <Copy text={text} />
    </div>
  )
}

function curlOf ({ method, path, body }: SameCall): string {
  const data = body === undefined
    ? ''
    : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`
  return `curl -X ${method} -H "Authorization: Bearer $LINKER_TOKEN"${data} '${location.origin}${path}'`
}
