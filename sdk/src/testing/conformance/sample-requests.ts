import type { ReceivedWebhook } from '../../host/verify/received.ts'
import { contentOf, readForm } from '../../host/webhook-content.ts'
import { parseJson } from '../../parse-json.ts'
import type { WebhookSource } from '../../webhooks.ts'
import type { SampleChallenge, SampleDelivery } from './settings.ts'

type Sample = Partial<SampleDelivery> | SampleChallenge

/** The request of a sample, as the hub receives it. */
export function toReceived ({ method = 'POST', query = '', callbackUrl, headers = {}, body = '', at }:
  Sample): ReceivedWebhook
{
  return {
    method,
    query,
    callbackUrl,
    rawHeaders: Object.entries(headers).flat(),
    rawBody: Buffer.from(body),
    nowMs: at === undefined ? Date.now() : Date.parse(at),
    skewMs: 300_000
  }
}

/** Reads the body of a sample. Undefined: it is plain text, or the hub reads no such body. */
export function readBody (sample: Sample, source: WebhookSource | undefined): unknown {
  const { body = '' } = sample
  if (describeOtherContent(sample, source) !== undefined) return undefined
  const content = contentOf(contentTypeOf(sample))
  if (content === 'json') return parsed(body)
  return content === 'form' ? readForm(body) : undefined
}

/** Says that the hub reads no body of this kind. Undefined: it does. */
export function describeOtherContent (sample: Sample, source: WebhookSource | undefined): string | undefined {
  const contentType = contentTypeOf(sample)
  const content = contentOf(contentType)
  const allowed: readonly unknown[] = ['json', ...source?.content ?? []]
  return content !== undefined && allowed.includes(content)
    ? undefined
    : `the hub reads no body with the Content-Type '${contentType ?? ''}' unless source.content allows it`
}

/** Says why the hub refuses a body of a kind that it reads. Undefined: it does not. */
export function bodyFault (sample: Sample, read: unknown): string | undefined {
  const content = contentOf(contentTypeOf(sample))
  if (content === 'json') return read === undefined ? 'the body is not JSON' : undefined
  const isJson = /^\s*[[{]/.test(sample.body ?? '') && parsed(sample.body ?? '') !== undefined
  if (isJson) return 'the body is JSON, and its Content-Type does not say so'
  return content === 'form' && read === undefined ? 'the form is not UTF-8 in percent-encoding' : undefined
}

export function parsed (text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function contentTypeOf ({ headers = {} }: Sample): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
}
