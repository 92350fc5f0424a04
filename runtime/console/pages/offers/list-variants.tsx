import { ProblemError } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { commandLine } from '../../rules/command-line.ts'
import { mostAtOnce, nameItems } from '../../rules/listable.ts'
import { defaultsOf, type TypedDefaults } from '../../rules/listing-defaults.ts'
import { shellWord } from '../../rules/shell.ts'
import { faultOfPrice } from '../../rules/typed-price.ts'
import { Action } from '../../show/action.tsx'

interface Body {
  connectionId: string
  items: { variantId: string }[]
  defaults?: ReturnType<typeof defaultsOf>
}

/** Creates offers for the ticked variants, all by one request. */
export function ListVariants ({ connectionId, marketplace, variants, done }: {
  connectionId: string,
  marketplace: string,
  /** The names of the variants by their ids. */
  variants: ReadonlyMap<string, string>,
  done: () => void
}): JSX.Element | null {
  const [typed, setTyped] = useState<TypedDefaults>({ price: '', pictures: '', isDraft: false })
  if (variants.size === 0) return null
  const { price, pictures, isDraft } = typed
  const defaults = defaultsOf(typed)
  const body: Body = {
    connectionId,
    items: [...variants.keys()].map(variantId => ({ variantId })),
    ...Object.keys(defaults).length > 0 && { defaults }
  }

  async function run (idempotencyKey: string) {
    const { batchId, jobIds } = await hub.post('/listings/bulk-create', { body, idempotencyKey })
      .catch((error: unknown) => {
        throw nameFaults(error, [...variants.values()])
      })
    done()
    return { text: `The hub lists ${jobIds.length} variants at ${marketplace}.`, opens: addressOf.batch(batchId) }
  }

  const words = variants.size === 1 ? 'List 1 variant' : `List ${variants.size} variants`
  return (
    <Action
      label={words}
      scope='operate'
      isPrimary
      title={`${words} at ${marketplace}`}
      blocked={() =>
        variants.size > mostAtOnce ? `One request lists at most ${mostAtOnce} variants.` : faultOfPrice(price)}
      run={run}
      cli={commandOf(body)}
      call={{ method: 'POST', path: '/listings/bulk-create', body }}
    >
      <p>
        Each gets an offer with the title, price, pictures and present stock of the shop. The hub checks all of them
        first, and makes none when one is wrong.
      </p>
      <label class='check'>
        <input
          type='checkbox'
          checked={!isDraft}
          onChange={event => setTyped({ ...typed, isDraft: !event.currentTarget.checked })}
        />
        Buyers can buy them at once
      </label>
      <details>
        <summary>Instead of the values of the shop</summary>
        <label>
          <span>One price for all</span>
          <input
            value={price}
            placeholder='12.90 EUR'
            onInput={event => setTyped({ ...typed, price: event.currentTarget.value })}
          />
        </label>
        <label>
          <span>The same pictures for all: an address on each line</span>
          <textarea
            rows={3}
            value={pictures}
            placeholder='https://shop.example/picture.jpg'
            onInput={event => setTyped({ ...typed, pictures: event.currentTarget.value })}
          />
        </label>
      </details>
    </Action>
  )
}

function commandOf ({ connectionId, items, defaults = {} }: Body): string {
  const { price, overrides, publishImmediately } = defaults
  const words = ['offers', 'create', connectionId, ...items.map(({ variantId }) => variantId)]
  const images = overrides?.imageUrls?.map(address => ` --image ${shellWord(address)}`) ?? []
  return commandLine(words, {
    draft: publishImmediately === false,
    price: price && `${price.amount} ${price.currency}`
  }) + images.join('')
}

/** The positions in the request mean nothing to the person who ticked names. */
function nameFaults (error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ProblemError) || error.errors === undefined) return error
  const { status, code, detail, errors, requestId } = error
  return new ProblemError(status, { code, detail, requestId, errors: nameItems(errors, names) })
}
