import { adapterFolder, recordMktb } from './mktb.ts'

// Writes the recordings of the adapters again: npm run record
await recordMktb(adapterFolder)
