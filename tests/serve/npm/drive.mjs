// Makes calls with the stock npm client and prints what it saw of each, one JSON line a call.
// Input: a call a line, {url, key, headers, api: "chat" | "responses" | "models", helper, body} in JSON, until it ends.
// Invariant: nothing is read but the client's own interface; what it throws is told by its class and fields.
import { createInterface } from "node:readline";
import OpenAI from "openai";

const told = (fault) => ({
  kind: fault.constructor.name,
  status: fault.status ?? null,
  code: fault.code ?? null,
  type: fault.type ?? null,
  message: String(fault.message),
});

async function* seen(client, { api, helper, body }) {
  if (api === "models") {
    for await (const model of client.models.list()) yield model;
  } else if (helper) {
    const stream = api === "chat" ? client.chat.completions.stream(body) : client.responses.stream(body);
    yield api === "chat" ? await stream.finalChatCompletion() : await stream.finalResponse();
  } else {
    const found = await (api === "chat" ? client.chat.completions : client.responses).create(body);
    if (body.stream) yield* found;
    else yield found;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line);
  const client = new OpenAI({ baseURL: call.url, apiKey: call.key, defaultHeaders: call.headers, maxRetries: 0 });
  const items = [];
  let error = null;
  try {
    for await (const item of seen(client, call)) items.push(item);
  } catch (fault) {
    error = told(fault);
  }
  console.log(JSON.stringify({ items, error }));
}
