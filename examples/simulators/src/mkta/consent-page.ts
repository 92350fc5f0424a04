import type { Account, Application } from './tokens.ts'

export interface ConsentPage {
  application: Application
  account: Account
  scopes: readonly string[]
  /** The parameters of the authorisation request. The form sends them back in hidden fields. */
  parameters: Record<string, string>
}

/**
 * Returns the HTML page that asks the seller whether the application may use the account. Its form
 * sends the parameters of the request and a `decision`, which is `grant` or `refuse`.
 */
export function consentPage ({ application, account, scopes, parameters }: ConsentPage): string {
  const fields = Object.entries(parameters).map(([name, value]) =>
    `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Allow ${escaped(application.name)} - mktA</title>
<style>
body {
  font: 1rem/1.5 system-ui, sans-serif;
  max-width: 30rem;
  margin: 3rem auto;
  padding: 0 1rem;
  color: #1a1a1a;
  background: #fff
}
button {
  font: inherit;
  padding: .5rem 1.5rem;
  margin-right: .5rem;
  border: 1px solid #1a4fa0;
  border-radius: .25rem;
  color: #1a4fa0;
  background: #fff
}
button[value=grant] { color: #fff; background: #1a4fa0 }
</style>
</head>
<body>
<main>
<h1>Allow ${escaped(application.name)} to use your account?</h1>
<p>You are signed in to mktA as <strong>${escaped(account.login)}</strong>.</p>
<h2 id="scopes">${escaped(application.name)} will be able to use</h2>
<ul aria-labelledby="scopes">
${scopes.map(scope => `<li>${escaped(scope)}</li>`).join('\n')}
</ul>
<form method="post" action="/auth/oauth/authorize" aria-label="Your decision">
${fields.join('\n')}
<button type="submit" name="decision" value="grant">Allow</button>
<button type="submit" name="decision" value="refuse">Deny</button>
</form>
</main>
</body>
</html>
`
}

/** Escapes a text for HTML, inside an element or an attribute in double quotes. */
function escaped (text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
