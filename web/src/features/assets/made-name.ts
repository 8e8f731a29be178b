interface Made {
  readonly vendor: string
  readonly model: string
}

/** Maker and model; a model that begins with its maker says it once. */
export function madeName({ vendor, model }: Made): string {
  const isSaid = `${model} `.toLowerCase().startsWith(`${vendor} `.toLowerCase())
  return (isSaid ? [model] : [vendor, model]).filter(Boolean).join(' ')
}
