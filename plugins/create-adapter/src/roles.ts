/** The kinds of platforms, each with a folder of its name in `template`. */
export const roles = {
  shop: { hint: 'its products and stock are the truth', capabilities: ['ProductMaster', 'InventoryMaster'] },
  marketplace: { hint: 'sells what the shop has', capabilities: ['Marketplace'] },
  carrier: { hint: 'ships the parcels of orders', capabilities: ['linker/Carrier'] }
} as const

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as Role[]

export const isRole = (name: string): name is Role => Object.hasOwn(roles, name)
