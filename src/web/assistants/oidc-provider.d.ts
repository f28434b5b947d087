/** What is used here of `oidc-provider`, which brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Adapter {
    upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<unknown>
    find(id: string): Promise<Record<string, unknown> | undefined>
    findByUid(uid: string): Promise<undefined>
    findByUserCode(code: string): Promise<undefined>
    consume(id: string): Promise<unknown>
    destroy(id: string): Promise<unknown>
    revokeByGrantId(grantId: string): Promise<unknown>
  }

  export interface Interaction {
    readonly params: { readonly client_id: string; readonly redirect_uri: string }
    readonly returnTo: string
    result?: object
    persist(): Promise<string>
  }

  export interface Grant {
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export interface Context {
    readonly req: IncomingMessage
    readonly oidc: {
      readonly result?: { readonly consent?: { readonly grantId: string } }
      readonly client: Client
    }
    status: number
    type: string
    body: unknown
  }

  export interface Client {
    readonly clientId: string
    readonly clientName?: string
    grantTypeAllowed(type: string): boolean
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    readonly Client: { find(id: string): Promise<Client | undefined> }
    readonly Grant: new (of: {
      readonly accountId: string
      readonly clientId: string
    }) => Grant
    readonly Interaction: { find(id: string): Promise<Interaction | undefined> }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    on(event: 'server_error', listener: (context: Context, error: Error) => void): void
  }

  export const interactionPolicy: {
    readonly Prompt: new (of: { readonly name: string; readonly requestable: boolean }, ...checks: unknown[]) => unknown
    readonly Check: new (
      reason: string,
      description: string,
      error: string,
      check: (context: Context) => boolean,
    ) => unknown
  }

  export const errors: {
    readonly InvalidClientMetadata: new (detail: string) => Error
    readonly InvalidGrant: new (detail: string) => Error
    readonly InvalidRequest: new (detail: string) => Error
    readonly InvalidTarget: new () => Error
  }
}
