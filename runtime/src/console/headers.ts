/**
 * The headers of every file of the console. Its pages load and run only files of the hub, reach
 * only the hub, and no page may show them in a frame. Trusted Types forbid that a text becomes
 * markup, so the texts of adapters and platforms stay texts.
 */
export const consoleHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer'
}

/** A file whose name holds the hash of its content never changes. */
export const forEver = 'public, max-age=31536000, immutable'
/** The browser asks each time whether the page is still the same. */
export const askEachTime = 'no-cache'
