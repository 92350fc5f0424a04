export const insertRestore = 'insert into restores (restored_at, taken_at) values (now(), $1)'

export const markSearched = `
  update orders set searched_since = now()
  where destination_external_id is null`
