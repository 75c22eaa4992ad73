// Redeems the token of the link that the server printed: the server sets an HttpOnly cookie, and the token is removed
// from the URL. A used link has no effect: the console can still read and advance, and reports the missing token at the
// first gate.
const FRAGMENT = /^#token=([A-Za-z0-9_-]{1,256})$/;

export async function redeemToken(): Promise<void> {
  const token = FRAGMENT.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, "", `${location.pathname}#/`);
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) };
  await fetch("/v1/session", request).catch(() => undefined);
}
