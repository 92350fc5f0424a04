/** Ids that the examples share, so that a reader finds the same shop, order and job again. */
export const exampleIds = {
  shop: '0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30',
  market: '0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41',
  product: '6c2d3e4f-5061-5b72-9c83-ad94be05cf16',
  variant: '5b1c2d3e-4f50-5a61-8b72-9c83ad94be05',
  offer: '7d3e4f50-6172-5c83-8d94-be05cf16d027',
  order: '8e4f5061-7283-5d94-9ea5-cf16d027e138',
  job: '9f506172-8394-5ea5-8fb6-d027e138f249',
  anotherJob: 'a0617283-94a5-5fb6-90c7-e138f24a035b',
  token: '0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10',
  process: '0198c3a5-66ff-7283-9cc0-7464a45e1165',
  request: '0198c3a4-55ee-7172-8bbf-6353934d0054'
} as const
