import bundled from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

/**
 * Starts Chromium without a window: the one in the package, or the one that LINKER_TEST_CHROMIUM
 * names, because the package does not support every processor.
 */
export async function startBrowser (environment: NodeJS.ProcessEnv): Promise<Browser> {
  bundled.setGraphicsMode = false
  const executablePath = environment.LINKER_TEST_CHROMIUM ?? await bundled.executablePath()
  // Tests may run as root, where Chromium has no sandbox.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}
