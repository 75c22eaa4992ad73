// The token in the link that the server printed: exchanged once for a cookie that no script can read, then gone from the
// address. A link that was used before changes nothing: the console then reads and advances, and says so at the first gate.
const FRAGMENT = /^#token=([A-Za-z0-9_-]{1,256})$/;

export async function takeToken(): Promise<void> {
  const token = FRAGMENT.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, "", `${location.pathname}#/`);
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) };
  await fetch("/v1/session", request).catch(() => undefined);
}
