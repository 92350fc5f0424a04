import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import type { Test } from 'tap'
import { startBrowser } from './browser.ts'
import { availableModes, type Mode } from './modes.ts'

/** A person in front of the console. */
export interface Operator {
  page: Page
  context: BrowserContext
  /** Opens an address of the console and waits for its heading and for its data. */
  visit(path: string): Promise<void>
  /**
   * Looks at the page as it is now: axe finds no fault in light and in dark, and the page does not
   * scroll sideways on a phone and on a desktop.
   */
  inspect(name: string): Promise<void>
  /** Console errors, refusals of the security policy and requests to other origins so far. */
  complaints: string[]
  /** Leaves out the complaints that a test provokes. */
  forget(pattern: RegExp): void
}

/** The modes that the flows of the console run in. */
export function consoleModes (environment: NodeJS.ProcessEnv): Mode[] {
  return availableModes(environment).filter(mode => mode !== 'postgres')
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

/**
 * Starts a browser and signs in at the hub with a token. When the test ends, there must be no
 * complaint. Without `looks`, `inspect` does nothing: another mode has looked at the same pages.
 */
export async function openConsole (
  t: Test,
  { url, token, looks = true }: { url: string, token: string, looks?: boolean }
): Promise<Operator> {
  const browser = await startBrowser(process.env)
  t.teardown(() => browser.close())
  const context = await browser.newContext({ viewport: desktop, locale: 'en-GB' })
  const complaints: string[] = []
  context.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== new URL(url).origin) complaints.push(`a request to ${request.url()}`)
  })
  const page = await context.newPage()
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', error => {
    complaints.push(`${page.url()}: ${error.message}`)
  })
  await page.exposeFunction('complain', (text: string) => complaints.push(text))
  await page.addInitScript({
    content: "addEventListener('securitypolicyviolation', " +
      'event => complain(`the policy ${event.violatedDirective} refused ${event.blockedURI}`))'
  })

  async function settle (): Promise<void> {
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('main:not(:has(.loading))').waitFor()
  }

  async function inspect (name: string): Promise<void> {
    if (!looks) return
    // What is still loading fades in, with too little contrast for a moment.
    await settle()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] })
      )
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${String(target)}`))
      t.strictSame(found, [], `${name}: axe finds no fault, ${colorScheme}`)
    }
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport)
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      t.equal(isWide, false, `${name}: no sideways scroll at ${viewport.width} px`)
    }
  }

  await page.goto(`${url}/console/`)
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.shell').waitFor()
  await settle()
  t.teardown(() => {
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  })
  return {
    page,
    context,
    complaints,
    forget (pattern) {
      complaints.splice(0, complaints.length, ...complaints.filter(text => !pattern.test(text)))
    },
    inspect,
    async visit (path) {
      await page.goto(url + path)
      await settle()
    }
  }
}
