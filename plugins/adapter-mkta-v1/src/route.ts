import type { ConnectionRouteHost, PlatformRouteHost, RouteDefinition, RouteHost } from '@linker/sdk'
import type { MarketplaceClient } from './client.ts'
import type { Config, Credentials } from './config.ts'

export type Route = RouteDefinition<MarketplaceClient, Config, Credentials>
export type Host = RouteHost<MarketplaceClient, Config, Credentials>
export type ConnectionHost = ConnectionRouteHost<MarketplaceClient, Config, Credentials>
export type PlatformHost = PlatformRouteHost<Config, Credentials>
