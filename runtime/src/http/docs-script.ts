/**
 * A script of the pages under `/api/docs`: a field for the secret of a webhook, which signs the
 * deliveries that a person tries out. The secret stays in the field; nothing stores or sends it.
 * The script wraps `SwaggerUIBundle`, which the page calls when everything is loaded.
 */
export const signingScript = `'use strict'
{
  const form = document.createElement('form')
  form.style.cssText = 'max-width: 1460px; margin: 0 auto; padding: 12px 20px; font: 14px sans-serif'
  form.addEventListener('submit', event => event.preventDefault())
  const label = document.createElement('label')
  label.textContent = 'Webhook secret '
  const input = document.createElement('input')
  input.type = 'password'
  input.autocomplete = 'off'
  input.id = 'webhook-secret'
  const note = document.createElement('span')
  note.textContent = crypto.subtle === undefined
    ? ' Browsers sign only on pages of https or of this machine.'
    : ' Signs the deliveries to /webhooks that you try out. It stays on this page and is not stored.'
  label.append(input)
  form.append(label, note)
  document.body.prepend(form)

  const delivery = /\\/webhooks\\/[^/]+\\/[^/]+(?:\\/test)?$/
  const bytesOf = text => new TextEncoder().encode(text)

  async function sign (request) {
    const { origin, pathname } = new URL(request.url, location.href)
    if (input.value === '' || origin !== location.origin || !delivery.test(pathname)) return request
    if (request.body !== undefined && typeof request.body !== 'string') request.body = JSON.stringify(request.body)
    const timestamp = String(Date.now())
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', bytesOf(input.value), algorithm, false, ['sign'])
    const digest = await crypto.subtle.sign('HMAC', key, bytesOf(timestamp + '.' + (request.body ?? '')))
    const hex = [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('')
    request.headers['X-Linker-Timestamp'] = timestamp
    request.headers['X-Linker-Signature'] = 'sha256=' + hex
    return request
  }

  const build = window.SwaggerUIBundle
  window.SwaggerUIBundle = Object.assign(options => build({ ...options, requestInterceptor: sign }), build)
}
`
