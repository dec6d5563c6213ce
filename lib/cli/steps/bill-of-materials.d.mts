/** The software bill of materials of what the product runs on: CycloneDX (ECMA-424) in JSON. Rejects when npm cannot make one. */
export function billOfMaterials(): Promise<string>;
