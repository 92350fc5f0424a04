import bundled from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

/**
 * A Chromium without a window: the one that came with the packages, or the one that
 * LINKER_TEST_CHROMIUM names, for processors that the package has none for.
 */
export async function startBrowser (environment: NodeJS.ProcessEnv): Promise<Browser> {
  bundled.setGraphicsMode = false
  const executablePath = environment.LINKER_TEST_CHROMIUM ?? await bundled.executablePath()
  // Tests may run as root, where Chromium has no sandbox.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
