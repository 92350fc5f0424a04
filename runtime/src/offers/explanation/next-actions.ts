import { shellWord } from '../../words.ts'
import type { NextAction } from './schemas.ts'

/** How a person does an action, and how a program does it. */
export type Way = Pick<NextAction, 'command' | 'call'>

type Call = NonNullable<NextAction['call']>

// A command with words to fill in has no call: a program cannot know them.

export const noWay: Way = { command: null, call: null }

export const showAdapters: Way = { command: 'linker adapters', call: null }

export function retryJob (id: string): Way {
  return { command: `linker jobs retry ${id}`, call: callOf('POST', `/jobs/${id}/retry`) }
}

export function showJob (id: string): Way {
  return { command: `linker jobs show ${id}`, call: callOf('GET', `/jobs/${id}`) }
}

export function retryOrder (id: string): Way {
  return { command: `linker orders retry ${id}`, call: callOf('POST', `/orders/${id}/retry`) }
}

export function showOrder (id: string): Way {
  return { command: `linker orders show ${id}`, call: callOf('GET', `/orders/${id}`) }
}

export function refreshOffer (id: string): Way {
  return { command: `linker offers refresh ${id}`, call: callOf('POST', `/offers/${id}/refresh`) }
}

export function linkOffer (marketplaceId: string, externalId: string): Way {
  const offer = shellWord(externalId)
  return {
    command: `linker offers link --marketplace ${marketplaceId} --shop SHOP --product PRODUCT --offer ${offer}`,
    call: null
  }
}

/** No command unlinks an offer. */
export function unlinkOffer (id: string): Way {
  return { command: null, call: callOf('DELETE', `/offers/${id}`) }
}

export function chooseBuffer (offerId: string): Way {
  return { command: `linker offers limit ${offerId} --buffer BUFFER`, call: null }
}

export function removeBuffer (offerId: string): Way {
  return {
    command: `linker offers limit ${offerId} --buffer 0`,
    call: callOf('PATCH', `/offers/${offerId}`, { buffer: 0 })
  }
}

export function removeMaxListed (offerId: string): Way {
  return {
    command: `linker offers limit ${offerId} --max-listed none`,
    call: callOf('PATCH', `/offers/${offerId}`, { maxListed: null })
  }
}

export function reconcileStock (connectionId: string): Way {
  return {
    command: `linker stock reconcile --connection ${connectionId}`,
    call: callOf('POST', '/stock/reconcile', { connectionId })
  }
}

export function confirmStock (variantId: string): Way {
  return {
    command: `linker stock confirm ${variantId}`,
    call: callOf('POST', '/stock/confirm', { variantId })
  }
}

export function previewReconcile (connectionId: string): Way {
  return {
    command: `linker stock reconcile --connection ${connectionId} --dry-run`,
    call: callOf('POST', '/stock/reconcile', { connectionId, dryRun: true })
  }
}

export function enableConnection (id: string): Way {
  return { command: `linker connections enable ${id}`, call: callOf('PATCH', `/connections/${id}/enable`) }
}

export function testConnection (id: string): Way {
  return { command: `linker connections test ${id}`, call: callOf('POST', `/connections/${id}/test`) }
}

export function diagnoseConnection (id: string): Way {
  return { command: `linker connections diagnose ${id}`, call: callOf('GET', `/connections/${id}/diagnostics`) }
}

export function showUpstream (id: string): Way {
  return { command: `linker connections upstream show ${id}`, call: callOf('GET', `/connections/${id}/upstream`) }
}

export function resumeConnection (id: string): Way {
  return { command: `linker connections resume ${id}`, call: callOf('POST', `/connections/${id}/resume`) }
}

/** `capability`: undefined when it is not known. */
export function resumeCapability (id: string, capability: string | undefined): Way {
  const command = `linker connections resume ${id} --capability ${shellWord(capability ?? 'CAPABILITY')}`
  return {
    command,
    call: capability === undefined
      ? null
      : callOf('POST', `/connections/${id}/resume`, { capabilities: [capability] })
  }
}

function callOf (method: Call['method'], path: string, body: Call['body'] = null): Call {
  return { method, path, body }
}
