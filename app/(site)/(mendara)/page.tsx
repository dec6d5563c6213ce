export default function Home() {
  return <h1>Files go missing.</h1>;
}
