import { parseArgs } from 'node:util'

// `npm run demo`: starts hub and simulators, then sends one stock change from the shop to the
// marketplace. With --once it ends there.

const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } })
console.log('The demo starts its own shop, marketplace and hub; that takes some seconds\n')
try {
  // Import these after the first line is printed: loading them takes some seconds.
  const [{ startDemo }, { tellStory }] = await Promise.all([import('./demo.ts'), import('./story.ts')])
  const demo = await startDemo(process.env)
  await tellStory(demo, line => {
    console.log(line)
  })
  if (!values.once) {
    console.log(`\nThe hub runs on at ${demo.hubUrl} (API at ${demo.hubUrl}/api/docs). Ctrl-C ends it.`)
    console.log(`Its token: ${demo.keys.admin}`)
    await new Promise(resolve => {
      process.once('SIGINT', resolve).once('SIGTERM', resolve)
    })
  }
  await demo.close()
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`)
  // One of the three servers may still be listening.
  process.exit(1)
}
