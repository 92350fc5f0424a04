export type ParcelStatus = 'ready' | 'moving' | 'delivered' | 'cancelled'

/** A parcel as the sender describes it. The sender chooses the `reference`. */
export interface NewParcel {
  reference: string
  service: string
  to: { name: string, street: string, postcode: string, city: string, country: string, phone?: string, email?: string }
  pickupPoint?: string
  cashOnDelivery?: { amount: string, currency: string }
  contents: string
}

export interface Parcel extends NewParcel {
  id: string
  number: string
  status: ParcelStatus
  createdAt: string
}

const prefix = 'PRC'

/** Makes a store for the parcels of one sender. */
export function createParcels (now: () => Date) {
  const byId = new Map<string, Parcel>()

  /**
   * Makes a parcel. For a reference that was used before, returns the parcel that it already has.
   */
  function make (wanted: NewParcel): { parcel: Parcel, isNew: boolean } {
    const known = [...byId.values()].find(({ reference }) => reference === wanted.reference)
    if (known !== undefined) return { parcel: known, isNew: false }
    const id = String(byId.size + 1)
    const parcel: Parcel = {
      ...wanted,
      id,
      number: `${prefix}${id.padStart(9, '0')}`,
      status: 'ready',
      createdAt: now().toISOString()
    }
    byId.set(id, parcel)
    return { parcel, isNew: true }
  }

  /** Changes the status, as the carrier does when it collects or delivers a parcel. */
  function move (id: string, status: ParcelStatus): void {
    const parcel = byId.get(id)
    if (parcel === undefined) throw new Error(`there is no parcel ${id}`)
    parcel.status = status
  }

  return { make, move, get: (id: string) => byId.get(id), all: (): readonly Parcel[] => [...byId.values()] }
}

const fontOfLabel = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'

/** Makes the label of a parcel: one page of PDF with its number. */
export function labelOf ({ number, to }: Parcel): Buffer {
  const postcode = to.postcode.replaceAll(/[^\w -]/g, '')
  const text = `BT /F1 24 Tf 40 120 Td (${number}) Tj 0 -40 Td (${to.country} ${postcode}) Tj ET`
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]/Contents 4 0 R' +
      `/Resources<</Font<</F1${fontOfLabel}>>>>>>endobj`,
      `4 0 obj<</Length ${text.length}>>stream\n${text}\nendstream endobj`,
      'trailer<</Root 1 0 R>>',
      '%%EOF'
    ].join('\n'),
    'latin1'
  )
}
