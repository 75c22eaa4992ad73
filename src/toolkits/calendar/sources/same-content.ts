// Compares the text that was sent to a calendar server with the text that it returns. Servers may change line breaks
// and the order of properties.
import type ICAL from "ical.js";
import { parseComponent } from "../ics/read-fields.ts";

/** Properties that programs update with every write, even if the event did not change. */
const STAMPS = ["dtstamp", "last-modified", "created", "sequence"];

/** Returns false if either string cannot be read. */
export function hasSameContent(one: string, other: string): boolean {
  try {
    return contentOf(one) === contentOf(other);
  } catch {
    return false;
  }
}

function contentOf(text: string): string {
  const entries = parseComponent(text)
    .getAllSubcomponents()
    .filter(({ name }) => name !== "vtimezone");
  return JSON.stringify(entries.map(componentContent).sort());
}

function componentContent(component: ICAL.Component): string {
  const properties = component.getAllProperties().filter(({ name }) => !STAMPS.includes(name));
  const lines = properties.map((property) => {
    const [name, parameters, ...value] = property.toJSON();
    return JSON.stringify([name, Object.entries(parameters).sort(), value]);
  });
  return JSON.stringify([component.name, lines.sort(), component.getAllSubcomponents().map(componentContent).sort()]);
}
