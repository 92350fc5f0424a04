import { adapterFolder as mkta, recordMktA } from './mkta.ts'
import { adapterFolder as mktb, recordMktB } from './mktb.ts'

// Writes the recordings of the adapters again: npm run record
await recordMktA(mkta)
await recordMktB(mktb)
